// Collects the data for a page about heap dumps and makes the page, which is one HTML file with charts of
// memory use and growth. Keeps at most two graphs, the first and the last.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "heapcheck/dump.hpp"
#include "heapcheck/types/api.hpp"
#include "heapcheck/types/report.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck {

/// Selects the snapshots of a dump that the page covers.
struct HeapPageOptions {
  std::optional<std::uint64_t> snapshot = {};  ///< the index of the only snapshot to show
  /// In a trace: the id of a process, or a type of process such as `renderer`, in upper or lower case.
  std::optional<std::string> process = {};
  bool has_all_snapshots = false;  ///< whether to show all snapshots rather than only the last
                                   ///< one
  double least_share = 0.2;  ///< the smallest share of the heap, or of its growth, that a suspect retains
};

/// A report about one dump, or about several dumps of the same program, oldest first. The last snapshot is
/// shown in detail. Earlier snapshots of the same process are used to show changes.
class HEAPCHECK_API HeapPage {
 public:
  /// Makes a report without dumps.
  HeapPage();
  /// Adds the next dump under `name`, together with the report from checking it. Leaves out incomplete
  /// snapshots and any dumps in a trace that contain no memory. Errors: unsupported if there is no such
  /// snapshot, or if the dump belongs to a different family of formats from earlier dumps; unreadable; limit.
  [[nodiscard]] Result<void> add(const Dump& dump, const Report& report, const std::string& name,
                                 const HeapPageOptions& options = {});
  /// The data for the page: one JSON document, as described in spec/heap-report.schema.json. Call either this
  /// or make_page(), and only once, after all dumps have been added. Errors: limit.
  [[nodiscard]] Result<std::string> make_json();
  /// The page: one self-contained HTML file of at most 3 MB, in addition to the names of the dumps. Errors:
  /// limit.
  [[nodiscard]] Result<std::string> make_page();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace heapcheck
