// The input of the model rules of MoarVM dumps: one snapshot, the shared tables as known when it was
// written, and a function that locates values in the file. Borrows everything.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/core/few_findings.hpp"
#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/summary.hpp"
#include "validate/mvmheap/graph_facts.hpp"

namespace heapcheck::validation::mvmheap {

namespace model = heapcheck::mvmheap;

/// A column of the model.
enum class Field : std::uint8_t {
  collectable_kind,
  collectable_index,  ///< type_or_frame_index
  collectable_size,
  collectable_unmanaged_size,
  collectable_refs_start,
  collectable_num_refs,
  reference_description,
  reference_target,
  string,
  type_repr_name,
  type_type_name,
  frame_name,
  frame_cuid,
  frame_line,
  frame_file,
};

/// Returns the location in the file of the value at `index` of a column. Called only for findings.
using Locate = std::function<Location(Field field, std::uint64_t index)>;

/// The path of a value: `/snapshots/2/references/1234/target`, or `/types/7/repr_name` for tables.
std::string path_of(Field field, std::uint64_t snapshot, std::uint64_t index);

struct SnapshotView {
  std::uint64_t index = 0;
  const model::Snapshot& snapshot;
  const model::Summary& summary;
  model::TableCounts known;
  Locate locate;
  GraphFacts facts = {};
};

/// Makes a finding at the value at `index` of a column.
[[nodiscard]] inline Finding make_finding(const SnapshotView& view, const Rule& rule, Field field,
                                          std::uint64_t index, std::string message) {
  return {&rule, view.locate(field, index), std::move(message)};
}

/// Wrong values that have one cause: values of rows close to each other, or all values of a column if many
/// places in it are wrong.
struct WrongRun {
  std::optional<Finding> finding;  ///< of the first value, if the sink wants it
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t count = 0;
};

/// Reports `runs`, with the number of values in each.
void report_runs(std::vector<WrongRun> runs, const Rule& rule, core::FindingSink& sink);

/// Reports the wrong indices in [0, count), with one finding for each run of them. Calls `describe` for the
/// first index of a run, directly after `is_wrong`. Slow; call it after a fast pass has found that something
/// is wrong.
template <class IsWrong, class Describe>
void report_each(std::uint64_t count, const Rule& rule, core::FindingSink& sink, IsWrong&& is_wrong,
                 Describe&& describe) {
  constexpr std::uint64_t few_rows = 16;  // wrong rows that are not further apart belong to one run
  const std::uint64_t wanted = sink.wanted(rule);
  std::vector<WrongRun> runs;
  bool is_one = false;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!is_wrong(i)) continue;
    if (runs.empty() || (!is_one && i - runs.back().last > few_rows)) {
      runs.push_back({std::nullopt, i});
      if (runs.size() <= wanted) runs.back().finding = describe(i);
    }
    if (runs.size() > core::few_violations) {
      is_one = true;
      for (std::size_t run = 1; run < runs.size(); ++run) runs[0].count += runs[run].count;
      runs.resize(1);
    }
    runs.back().last = i;
    ++runs.back().count;
  }
  report_runs(std::move(runs), rule, sink);
}

}  // namespace heapcheck::validation::mvmheap
