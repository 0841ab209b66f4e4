// Shared by the tests of recovering V8 heap snapshots: functions to recover the text of a snapshot, and to
// change it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "recover/v8/heapsnapshot/recover.hpp"
#include "tests/support/check.hpp"
#include "tests/support/heapsnapshots.hpp"
#include "tests/support/read_now.hpp"

namespace heapcheck::tests {

struct RecoveredSnapshot {
  recovery::v8::heapsnapshot::Recovery recovery;
  std::string text;
  v8::heapsnapshot::Snapshot snapshot;
};

/// Recovers `text`: returns nothing, or a snapshot without errors and warnings.
inline RecoveredSnapshot recover(const std::string& text) {
  core::MemorySource source(core::as_bytes(text));
  core::MemorySink out;
  formats::Content content = read_now(Format::v8_heapsnapshot, source);
  const auto recovery = recovery::v8::heapsnapshot::recover(source, content, {}, out);
  REQUIRE(recovery);
  const std::string written(core::as_text(out.bytes()));
  REQUIRE(written.empty() == (recovery->real_nodes() == 0));
  if (written.empty()) return {*recovery, {}, {}};
  const Report report = check(written);
  REQUIRE(report.verdict == Verdict::valid);
  REQUIRE(report.count(Severity::warning) == 0);
  return {*recovery, written, read_snapshot(written).snapshot};
}

/// Replaces the first occurrence of `from`, which must exist.
inline std::string replace(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// The values in the `field` column of a section; empty if there is no such column.
inline std::vector<std::uint64_t> values_of(const v8::heapsnapshot::Snapshot& snapshot,
                                            v8::heapsnapshot::Section section, std::string_view field) {
  std::vector<std::uint64_t> values;
  const v8::heapsnapshot::ChunkedColumn* const column = snapshot.find_column(section, field);
  for (std::uint64_t i = 0; column != nullptr && i < column->count(); ++i) values.push_back((*column)[i]);
  return values;
}

/// The id of the owner, the type, and the id of the target of an edge.
using Edge = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

inline std::set<Edge> edges_of(const v8::heapsnapshot::Snapshot& snapshot) {
  const auto& ids = *snapshot.find_column(v8::heapsnapshot::Section::nodes, "id");
  const auto& counts = *snapshot.find_column(v8::heapsnapshot::Section::nodes, "edge_count");
  const auto& types = *snapshot.find_column(v8::heapsnapshot::Section::edges, "type");
  const auto& targets = *snapshot.find_column(v8::heapsnapshot::Section::edges, "to_node");
  const std::uint64_t fields = snapshot.table(v8::heapsnapshot::Section::nodes).columns.size();
  std::set<Edge> edges;
  std::uint64_t edge = 0;
  for (std::uint64_t node = 0; node < ids.count(); ++node) {
    for (std::uint64_t left = counts[node]; left != 0; --left, ++edge)
      edges.emplace(ids[node], types[edge], ids[targets[edge] / fields]);
  }
  return edges;
}

}  // namespace heapcheck::tests
