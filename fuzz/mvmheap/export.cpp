// Property: for any bytes, if the graph of a snapshot in a MoarVM dump is exported as a heap snapshot, the
// result is valid for DevTools and memlab, apart from sizes that are too large for them, and has the same
// nodes and edges. The export is refused if the root has more edges than there are nodes.
#include <algorithm>

#include "export/writers.hpp"
#include "fuzz/support/inputs.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/validate.hpp"

using namespace heapcheck;
using fuzz::require;

namespace {

bool is_harmless(const Finding& finding) {
  return finding.rule->severity == Severity::note || finding.rule->id.ends_with(".wrap");
}

void require_same(const Graph& graph, core::ByteSpan bytes) {
  const auto dump = open_bytes(bytes);
  require(dump.has_value(), "an exported snapshot can be opened");
  for (const std::string reader : {"devtools", "memlab"}) {
    const Report report = validate(*dump, {.reader = reader});
    if (report.verdict != Verdict::valid || !std::ranges::all_of(report.findings, is_harmless))
      fuzz::print_findings(report);
    require(report.verdict == Verdict::valid, "an exported snapshot is valid");
    require(std::ranges::all_of(report.findings, is_harmless), "readers need nothing beyond the format");
  }
  const auto back = dump->snapshot(0)->graph();
  require(back.has_value(), "an exported snapshot has a graph");
  require(back->node_size == graph.node_size && back->first_edge == graph.first_edge &&
              back->edge_target == graph.edge_target,
          "nodes and edges do not change");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto dump = open_bytes({data, size}, {.limits = fuzz::make_limits()});
  if (!dump || family_of(dump->format()) != Family::mvmheap) return 0;
  constexpr std::uint64_t most_exported = 50;  // so that an input with thousands of snapshots takes no longer
  for (const Snapshot& snapshot : dump->snapshots()) {
    if (snapshot.index() >= most_exported) break;
    const auto graph = snapshot.graph();
    if (!graph) continue;
    const analyze::Retention retention = analyze::find_retention(*graph);
    core::MemorySink sink;
    const auto written = exports::heapsnapshot::write_heapsnapshot(
        {.file = {}, .format = dump->format(), .snapshot = 0, .graph = *graph, .retention = retention}, sink);
    const bool is_for_devtools = graph->first_edge[1] <= graph->node_count();
    require(written.has_value() == is_for_devtools, "graphs of MoarVM dumps for DevTools can be exported");
    if (written) require_same(*graph, sink.bytes());
  }
  return 0;
}
