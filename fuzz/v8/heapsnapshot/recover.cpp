// Property: recovering any bytes yields a snapshot without errors, and without warnings except about names
// and edges that may be wrong, unless nothing is written, and recovering that snapshot again does not change
// anything. If the input has all its edges, each edge that is kept belongs to the node that it belonged to.
#include "recover/v8/heapsnapshot/recover.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <variant>

#include "fuzz/support/edge_owners.hpp"
#include "fuzz/support/recovery.hpp"
#include "recover/v8/heapsnapshot/graph_rows.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapsnapshot;
using namespace heapcheck::recovery::v8::heapsnapshot;

namespace {

/// Whether the finding concerns content that nothing in the file proves to be right or wrong.
bool may_stay(const Finding& finding) {
  constexpr std::array<std::string_view, 6> rules{"v8snap.meta.order",    "v8snap.edges.map",
                                                  "v8snap.edges.order",   "v8snap.nodes.root-edges",
                                                  "v8snap.strings.order", "v8snap.strings.twice"};
  return finding.rule->severity != Severity::warning ||
         std::ranges::find(rules, finding.rule->id) != rules.end();
}

/// Whether each edge that was kept belongs to the node that it belonged to, if the input has all edges and
/// the same columns as the result.
bool keeps_owners(core::ByteSpan input, core::ByteSpan result) {
  core::MemorySource source(input);
  core::MemorySource recovered(result);
  const auto before = fuzz::read_now(Format::v8_heapsnapshot, source, fuzz::make_limits());
  const auto after = fuzz::read_now(Format::v8_heapsnapshot, recovered, {});
  const auto* const damaged = std::get_if<Snapshot>(&before.model);
  const auto& sound = std::get<Snapshot>(after.model);
  if (damaged == nullptr || damaged->schema.fields != sound.schema.fields || !damaged->schema.is_sound ||
      !has_all_edges(*damaged))
    return true;
  return fuzz::keeps_owners(fuzz::EdgeOwners(*damaged), fuzz::EdgeOwners(sound));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto done = fuzz::require_recovery<Recovery>({data, size}, Format::v8_heapsnapshot, recover);
  fuzz::require(!done || std::ranges::all_of(done->report.findings, may_stay),
                "the recovered snapshot has no warnings");
  fuzz::require(!done || done->second.uncounted_functions == 0, "its header counts all functions");
  fuzz::require(!done || keeps_owners({data, size}, done->bytes), "edges keep their owners");
  return 0;
}
