// What memlab needs of a heap snapshot beyond the format: it cuts nodes, edges and locations out of the text,
// and parses the rest as JSON.
#pragma once

#include <array>

#include "formats/v8/heapsnapshot/faults.hpp"
#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/consumers/consumer.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consumers::rules {

/// memlab refuses what other readers pass over.
inline constexpr Rule memlab_file_bom = [] {
  Rule rule = heapcheck::v8::heapsnapshot::rules::file_bom;
  rule.severity = Severity::error;
  rule.stage = Stage::check;
  return rule;
}();
inline constexpr Rule memlab_locations{
    .id = "v8snap.memlab.locations",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "where there are locations, `meta` names their columns",
    .reason = "memlab divides by the number of columns, and does not come to an end.",
    .anchor = "v8/memlab.md#needs",
    .since = "0.1",
};
inline constexpr Rule memlab_nodes_first{
    .id = "v8snap.memlab.nodes-first",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "`nodes` follows the header at once",
    .reason =
        "memlab takes everything before the nodes for the header, and fails with `meta data parsing error` "
        "or a message on JSON.",
    .anchor = "v8/memlab.md#needs",
    .since = "0.1",
};
inline constexpr Rule memlab_root_index{
    .id = "v8snap.memlab.root-index",
    .severity = Severity::warning,
    .stage = Stage::check,
    .title = "`root_index` is 0",
    .reason = "memlab takes the first node for the root, whatever the header says.",
    .anchor = "v8/memlab.md#needs",
    .since = "0.1",
};
inline constexpr Rule memlab_section_name{
    .id = "v8snap.memlab.section-name",
    .severity = Severity::error,
    .stage = Stage::check,
    .title =
        "the keys `nodes`, `edges` and `locations` are spelled plainly, with the colon right behind, and "
        "stand nowhere before",
    .reason =
        "memlab searches the text for the key with its colon: it finds none, and has no nodes, or takes "
        "another array.",
    .anchor = "v8/memlab.md#needs",
    .since = "0.1",
};
inline constexpr Rule memlab_text_length{
    .id = "v8snap.memlab.text-length",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "everything but nodes, edges and locations fits into 2^29 - 24 characters",
    .reason = "memlab holds it as one string, and fails with `Invalid string length`.",
    .anchor = "v8/memlab.md#needs",
    .since = "0.1",
};
inline constexpr Rule memlab_wrap{
    .id = "v8snap.memlab.wrap",
    .severity = Severity::warning,
    .stage = Stage::check,
    .title = "numbers of nodes, edges and locations are 2^32 - 1 at most",
    .reason = "memlab keeps their lowest 32 bits: 4,294,967,301 becomes 5.",
    .anchor = "v8/memlab.md#needs",
    .since = "0.1",
};

inline constexpr std::array memlab_rules{
    &memlab_locations,    &memlab_nodes_first, &memlab_root_index,
    &memlab_section_name, &memlab_text_length, &memlab_wrap,
};

}  // namespace heapcheck::validation::v8::heapsnapshot::consumers::rules

namespace heapcheck::validation::v8::heapsnapshot::consumers {

/// All of them. The text must have been read, see format::read_snapshot().
void check_for_memlab(const Snapshot& snapshot, const ConsumerProfile& reader, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot::consumers
