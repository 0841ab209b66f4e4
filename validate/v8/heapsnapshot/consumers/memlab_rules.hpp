// What memlab needs of a heap snapshot beyond the format: it cuts nodes, edges and locations out of the text,
// and parses the rest as JSON.
#pragma once

#include "formats/v8/heapsnapshot/faults.hpp"
#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/consumers/consumer.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consumers {

namespace rules {

/// memlab refuses what other readers pass over.
inline constexpr Rule memlab_file_bom = [] {
  Rule rule = heapcheck::v8::heapsnapshot::rules::file_bom;
  rule.severity = Severity::error;
  rule.stage = Stage::check;
  return rule;
}();
inline constexpr Rule memlab_locations{
    "v8snap.memlab.locations",
    Severity::error,
    Stage::check,
    "where there are locations, `meta` names their columns",
    "memlab divides by the number of columns, and does not come to an end.",
    "v8/memlab.md#needs",
    "0.1"};
inline constexpr Rule memlab_nodes_first{"v8snap.memlab.nodes-first",
                                         Severity::error,
                                         Stage::check,
                                         "`nodes` follows the header at once",
                                         "memlab takes everything before the nodes for the header, and "
                                         "fails with `meta data parsing error` or a message on JSON.",
                                         "v8/memlab.md#needs",
                                         "0.1"};
inline constexpr Rule memlab_root_index{"v8snap.memlab.root-index",
                                        Severity::warning,
                                        Stage::check,
                                        "`root_index` is 0",
                                        "memlab takes the first node for the root, whatever the header says.",
                                        "v8/memlab.md#needs",
                                        "0.1"};
inline constexpr Rule memlab_section_name{
    "v8snap.memlab.section-name",
    Severity::error,
    Stage::check,
    "the keys `nodes`, `edges` and `locations` are spelled plainly, with the colon right behind, and stand "
    "nowhere before",
    "memlab searches the text for the key with its colon: it finds none, and has no nodes, or takes another "
    "array.",
    "v8/memlab.md#needs",
    "0.1"};
inline constexpr Rule memlab_text_length{
    "v8snap.memlab.text-length",
    Severity::error,
    Stage::check,
    "everything but nodes, edges and locations fits into 2^29 - 24 characters",
    "memlab holds it as one string, and fails with `Invalid string length`.",
    "v8/memlab.md#needs",
    "0.1"};
inline constexpr Rule memlab_wrap{"v8snap.memlab.wrap",
                                  Severity::warning,
                                  Stage::check,
                                  "numbers of nodes, edges and locations are 2^32 - 1 at most",
                                  "memlab keeps their lowest 32 bits: 4,294,967,301 becomes 5.",
                                  "v8/memlab.md#needs",
                                  "0.1"};

}  // namespace rules

/// All of them. The text must have been read, see format::read_snapshot().
void check_for_memlab(const Snapshot& snapshot, const ConsumerProfile& reader, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot::consumers
