#include "validate/v8/heapsnapshot/consistency/consistency_rules.hpp"

#include <fmt/format.h>

#include "formats/v8/heapsnapshot/quirks.hpp"
#include "validate/v8/heapsnapshot/consistency/map_edges.hpp"
#include "validate/v8/heapsnapshot/consistency/name_order.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consistency {
namespace {

void report_step(const Snapshot& snapshot, const NameStep& step, core::FindingSink& sink) {
  const Field names(snapshot, step.section, name_field(step.section));
  Cases cases(rules::strings_order, sink);
  cases.add(names, step.row, [&] {
    return fmt::format("a new name is {}, expected {}, the next unused one", step.name, step.largest + 1);
  });
  cases.report();
}

std::string describe_kind(const EdgeMismatch& mismatch) {
  switch (mismatch.kind) {
    case EdgeMismatch::Kind::hidden_first:
      return "the first edge is hidden, expected another type in a node with an edge `map`";
    case EdgeMismatch::Kind::late_edge:
      return "a property, context or shortcut follows `map` or a hidden edge, expected it before them";
    case EdgeMismatch::Kind::map_count:
      break;
  }
  return fmt::format("found {} internal edges `map`, expected 1",
                     mismatch.found == 0 ? "no" : fmt::format("{}", mismatch.found));
}

std::string describe(const EdgeMismatch& mismatch) {
  if (mismatch.nodes == 1) return describe_kind(mismatch);
  return fmt::format("{}; {} nodes are wrong", describe_kind(mismatch), mismatch.nodes);
}

}  // namespace

void check_consistency(const Snapshot& snapshot, bool has_names, core::FindingSink& sink) {
  // Other engines write the same format, but number their names and order their edges in their own ways.
  if (!format::has_v8_mark(snapshot)) return;
  NameScan names(snapshot);
  MapScan maps(snapshot);
  names.add_nodes();
  EdgeChunks edges(snapshot);
  for (std::uint64_t i = 0; i < edges.count(); ++i) {
    const EdgeChunk& chunk = edges.load(i);
    names.add_edges(chunk);
    maps.add(chunk);
  }
  // Missing or moved rows also give other nodes the wrong edges. One cause must produce one finding.
  if (has_names && names.order().has_few_steps()) {
    report_step(snapshot, *names.order().first, sink);
    return sink.skip({"/edges", "it is unknown which nodes have the wrong edges"});
  }
  const auto mismatch = maps.finish();
  if (!mismatch) return;
  const Field counts(snapshot, Section::nodes, "edge_count");
  const bool is_count = mismatch->kind == EdgeMismatch::Kind::map_count;
  Cases cases(is_count ? rules::edges_map : rules::edges_order, sink);
  cases.add(counts, mismatch->row, [&] { return describe(*mismatch); });
  cases.report();
}

}  // namespace heapcheck::validation::v8::heapsnapshot::consistency
