// Property: recovering any bytes yields a snapshot without errors, and without warnings except about names
// and edges that may be wrong, unless nothing is written, and recovering that snapshot again does not change
// anything.
#include "recover/v8/heapsnapshot/recover.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "fuzz/support/recovery.hpp"

using namespace heapcheck;
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto done = fuzz::require_recovery<Recovery>({data, size}, Format::v8_heapsnapshot, recover);
  fuzz::require(!done || std::ranges::all_of(done->report.findings, may_stay),
                "the recovered snapshot has no warnings");
  fuzz::require(!done || done->second.uncounted_functions == 0, "its header counts all functions");
  return 0;
}
