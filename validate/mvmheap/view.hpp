// The input for the model rules of MoarVM dumps: one snapshot, the contents of the shared tables at the time
// when it was written, and a function that locates values in the file. Borrows everything.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "formats/core/finding_groups.hpp"
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

/// Returns the location in the file of the value at `index` in a column. Only called for findings.
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

/// Makes a finding for the value at `index` in a column.
[[nodiscard]] inline Finding make_finding(const SnapshotView& view, const Rule& rule, Field field,
                                          std::uint64_t index, std::string message) {
  return {&rule, view.locate(field, index), std::move(message)};
}

/// Adds "; 3 of the next 5 rows are wrong too".
void count_rows(Finding& finding, const core::ViolationGroup& group);

/// Reports the wrong indices in [0, count). Indices in rows that are close to each other are merged into one
/// finding. Calls `describe` for the first index of a group, directly after `is_wrong`. This is slow, so call
/// it only after a fast pass has found that something is wrong.
template <class IsWrong, class Describe>
void report_each(std::uint64_t count, const Rule& rule, core::FindingSink& sink, IsWrong&& is_wrong,
                 Describe&& describe) {
  core::FindingGroups groups(sink, rule, {.gap = 16, .add_count = count_rows});
  for (std::uint64_t i = 0; i < count; ++i) {
    if (is_wrong(i)) groups.add(i, [&] { return describe(i); });
  }
  groups.report();
}

}  // namespace heapcheck::validation::mvmheap
