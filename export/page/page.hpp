// Collects the data for a page about the snapshots of one process, and writes the page: its data as JSON, and
// one HTML file that contains this data. Owns the graphs of the first and the last snapshot, or the profile
// of the last one, and the totals of the others.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/differences.hpp"
#include "analyze/heap.hpp"
#include "export/page/data.hpp"
#include "formats/core/output/json_writer.hpp"
#include "heapcheck/types/profile.hpp"
#include "heapcheck/types/report.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::exports::page {

/// The snapshots of one process, oldest first. The last one is shown in detail.
class PageLane {
 public:
  /// Adds the totals of the last snapshot to the series, and frees everything else except for the first
  /// graph.
  void fold();
  /// Adds the next snapshot, after fold().
  void add(const std::string& file, std::uint64_t snapshot, analyze::Heap heap);
  void add(const std::string& file, std::uint64_t snapshot, AllocationProfile profile);
  /// Fills in everything except the files. Errors: limit.
  Result<void> finish(PageData& data);

 private:
  void add_to_series();

  analyze::Differences types_;
  analyze::Differences kinds_;
  std::map<std::string, std::string> other_kinds_;  // see find_other_kinds()
  std::vector<Position> positions_;
  bool has_counts_ = true;                     // of all profiles
  std::optional<analyze::Heap> first_;         // new memory is new since this snapshot
  std::optional<analyze::NodesById> between_;  // the nodes in all snapshots between the first and the last
  std::optional<analyze::Heap> heap_;
  std::optional<AllocationProfile> profile_;
};

/// spec: heap-report.schema.json
[[nodiscard]] std::string make_json(const PageData& data, core::JsonLayout layout);

/// The page with this data. Nothing in a name can affect the page, which does not need any other file.
[[nodiscard]] std::string make_page(const PageData& data);

/// The start of a name, which is at most `most_name_bytes` bytes long, and an ellipsis if the name was cut.
[[nodiscard]] std::string cut_name(std::string_view name, std::size_t most_bytes = most_name_bytes);
/// The name followed by its place if it is known, with the last part of the path: `get (app.js:41)`. Takes up
/// no more bytes than a name without a place.
[[nodiscard]] std::string name_with_place(std::string_view name, const heapcheck::Place& place);

/// The parts of the page that come before and after its data, from export/page/web/.
[[nodiscard]] std::string_view page_start();
[[nodiscard]] std::string_view page_end();

/// The row of a dump, with at most `limit` findings.
[[nodiscard]] FileRow make_file_row(const std::string& name, Format format, const Report& report,
                                    std::size_t limit);

/// The kinds whose nodes have no type, such as strings. Contains, by kind, the name used for nodes of that
/// kind.
[[nodiscard]] std::map<std::string, std::string> find_other_kinds(const Graph& graph);

/// Fills in the data that the page shows about one snapshot and, for a timeline with stacks, its calls.
/// Errors: limit.
[[nodiscard]] Result<void> describe_heap(const analyze::Heap& heap, PageData& data);
/// Fills in the data about the memory in `last` that is new since `first`. `between` has the nodes that
/// are in all snapshots between the two, and is null if there are none.
void describe_growth(const analyze::Heap& first, const analyze::NodesById* between, const analyze::Heap& last,
                     PageData& data);
/// Does the same as describe_heap() for allocations by call stack. Errors: limit.
[[nodiscard]] Result<void> describe_profile(const AllocationProfile& profile, PageData& data);

/// Fills in the series that a page shows: those with the largest totals or changes, for at most
/// `most_positions` snapshots. The kinds in `other_kinds` are shown together with types.
void describe_series(const analyze::Differences& types, const analyze::Differences& kinds,
                     const std::map<std::string, std::string>& other_kinds,
                     const std::vector<Position>& positions, PageData& data);

}  // namespace heapcheck::exports::page
