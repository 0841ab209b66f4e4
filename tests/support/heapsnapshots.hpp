// Shared by the tests of V8 heap snapshots: functions to read and write them, seeds of the corpus, and a
// small snapshot.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/v8/heapsnapshot/reader.hpp"
#include "formats/v8/heapsnapshot/writer.hpp"
#include "tests/support/v8_files.hpp"

namespace heapcheck::tests {

struct SnapshotReading {
  v8::heapsnapshot::Snapshot snapshot;
  std::vector<Finding> findings;
};

inline SnapshotReading read_snapshot(std::string_view text, const Limits& limits = {},
                                     std::size_t capacity = core::Window::default_capacity) {
  auto [snapshot, findings] = read_text(text, capacity, [&limits](auto& window, auto& sink) {
    return v8::heapsnapshot::read_snapshot(window, limits, sink);
  });
  return {std::move(snapshot), std::move(findings)};
}

inline std::string write_snapshot(const v8::heapsnapshot::Snapshot& snapshot) {
  return write_text(snapshot, v8::heapsnapshot::write_snapshot);
}

inline std::string read_snapshot_seed(const std::string& name) {
  return read_corpus("v8/heapsnapshot/seed/" + name);
}

/// Makes a snapshot from the content of its arrays. Nodes have the columns type, name, id, self_size and
/// edge_count.
inline std::string make_snapshot(const std::string& nodes, const std::string& edges,
                                 const std::string& strings) {
  return R"j({"snapshot":{"meta":{"node_fields":["type","name","id","self_size","edge_count"],)j"
         R"j("node_types":[["hidden","synthetic"],"string","number","number","number"],)j"
         R"j("edge_fields":["type","name_or_index","to_node"],)j"
         R"j("edge_types":[["context","element"],"string_or_number","node"]},"node_count":1,"edge_count":0},)j"
         "\n\"nodes\":[" +
         nodes + "],\n\"edges\":[" + edges + "],\n\"strings\":[" + strings + "]}";
}

}  // namespace heapcheck::tests
