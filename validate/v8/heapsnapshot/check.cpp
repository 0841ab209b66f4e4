#include "validate/v8/heapsnapshot/check.hpp"

#include "formats/v8/heapsnapshot/reader.hpp"
#include "validate/v8/heapsnapshot/consistency/consistency_rules.hpp"
#include "validate/v8/heapsnapshot/consumers/devtools_rules.hpp"
#include "validate/v8/heapsnapshot/consumers/devtools_text_rules.hpp"
#include "validate/v8/heapsnapshot/consumers/devtools_trace_rules.hpp"
#include "validate/v8/heapsnapshot/consumers/memlab_rules.hpp"
#include "validate/v8/heapsnapshot/count_rules.hpp"
#include "validate/v8/heapsnapshot/edge_rules.hpp"
#include "validate/v8/heapsnapshot/node_rules.hpp"
#include "validate/v8/heapsnapshot/reachability.hpp"
#include "validate/v8/heapsnapshot/sign_rules.hpp"
#include "validate/v8/heapsnapshot/string_rules.hpp"
#include "validate/v8/heapsnapshot/trace_rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot {
namespace {

/// Checks the nodes that edges and other rows refer to, if all nodes were read. Returns whether the graph is
/// sound.
bool check_targets(const Snapshot& snapshot, core::FindingSink& sink) {
  const GraphSoundness soundness = check_graph_counts(snapshot, sink);
  if (!soundness.nodes) return false;
  core::Tally tally(sink);
  check_node_places(snapshot, tally);
  if (!soundness.graph || !tally.clean()) return false;
  check_reachability(snapshot, sink);
  return true;
}

/// Checks the strings and the references to them. Returns whether all references can be trusted.
bool check_names(const Snapshot& snapshot, core::FindingSink& sink) {
  if (!snapshot.strings.is_sound()) {
    sink.skip({"/strings", "not all strings are known"});
    return false;
  }
  core::Tally tally(sink);
  check_strings(snapshot, tally);
  check_string_indices(snapshot, tally);
  return tally.clean();
}

/// Checks the header's count of the functions that allocated. If DevTools fails because of the count, only
/// that is reported.
void check_function_count(const Snapshot& snapshot, const consumers::ConsumerProfile& reader,
                          core::FindingSink& sink) {
  if (reader.consumer == consumers::Consumer::devtools && consumers::check_dropped_functions(snapshot, sink))
    return;
  check_trace_function_count(snapshot, sink);
}

void check_for_reader(const Snapshot& snapshot, const consumers::ConsumerProfile& reader,
                      core::FindingSink& sink) {
  if (reader.consumer == consumers::Consumer::memlab) consumers::check_for_memlab(snapshot, reader, sink);
  if (reader.consumer != consumers::Consumer::devtools) return;
  consumers::check_text_for_devtools(snapshot, reader, sink);
  consumers::check_header_for_devtools(snapshot, sink);
  consumers::check_columns_for_devtools(snapshot, sink);
  consumers::check_numbers_for_devtools(snapshot, sink);
  consumers::check_trace_for_devtools(snapshot, reader, sink);
  consumers::check_scopes_for_devtools(snapshot, sink);
}

}  // namespace

Snapshot check(core::Window& window, const Limits& limits, core::FindingSink& sink,
               const consumers::ConsumerProfile& reader) {
  const bool with_text = reader.consumer != consumers::Consumer::none;
  Snapshot snapshot = format::read_snapshot(window, limits, sink, with_text);
  check_lengths(snapshot, sink);
  if (reader.consumer != consumers::Consumer::devtools) check_signed(snapshot, sink);
  check_nodes(snapshot, sink);
  check_edges(snapshot, sink);
  const bool has_graph = check_targets(snapshot, sink);
  const bool has_names = check_names(snapshot, sink);
  if (has_graph && has_names) consistency::check_consistency(snapshot, sink);
  check_repeated_locations(snapshot, sink);
  check_function_count(snapshot, reader, sink);
  check_trace_tree(snapshot, sink);
  check_samples(snapshot, sink);
  check_scope_counts(snapshot, sink);
  check_for_reader(snapshot, reader, sink);
  return snapshot;
}

}  // namespace heapcheck::validation::v8::heapsnapshot
