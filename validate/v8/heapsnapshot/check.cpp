#include "validate/v8/heapsnapshot/check.hpp"

#include "formats/v8/heapsnapshot/reader.hpp"
#include "validate/v8/heapsnapshot/count_rules.hpp"
#include "validate/v8/heapsnapshot/edge_rules.hpp"
#include "validate/v8/heapsnapshot/node_rules.hpp"
#include "validate/v8/heapsnapshot/reachability.hpp"
#include "validate/v8/heapsnapshot/string_rules.hpp"
#include "validate/v8/heapsnapshot/trace_rules.hpp"

namespace heapcheck::validate::v8::heapsnapshot {
namespace {

/// What edges and other rows lead to, in so far as it is all there.
void check_targets(const Snapshot& snapshot, core::FindingSink& sink) {
  const GraphSoundness soundness = check_graph_counts(snapshot, sink);
  if (!soundness.nodes) return;
  core::Tally tally(sink);
  check_node_places(snapshot, tally);
  if (soundness.graph && tally.clean()) check_reachability(snapshot, sink);
}

}  // namespace

void check(core::Window& window, const core::Limits& limits, core::FindingSink& sink) {
  const Snapshot snapshot = format::read_snapshot(window, limits, sink);
  check_lengths(snapshot, sink);
  check_nodes(snapshot, sink);
  check_edges(snapshot, sink);
  check_targets(snapshot, sink);
  if (snapshot.strings.is_sound()) {
    check_strings(snapshot, sink);
    check_string_indices(snapshot, sink);
  } else {
    sink.skip({"/strings", "not all strings are known"});
  }
  check_repeated_locations(snapshot, sink);
  check_trace_function_count(snapshot, sink);
  check_trace_tree(snapshot, sink);
  check_samples(snapshot, sink);
  check_scope_counts(snapshot, sink);
}

}  // namespace heapcheck::validate::v8::heapsnapshot
