// The rules for the requirements that individual readers of heap snapshots impose beyond those of the format.
#pragma once

#include <array>
#include <span>

#include "formats/v8/heapsnapshot/faults.hpp"
#include "heapcheck/types/finding.hpp"
#include "validate/readers.hpp"
#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot::readers::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule devtools_column{
    .id = "v8snap.devtools.column", .severity = Severity::warning, .stage = Stage::check,
    .title = "`meta` names all columns that DevTools looks up",
    .reason = "DevTools reads the number before the row in place of a missing column.",
    .example = "\"location_fields\":[\"object_index\",\"script_id\",\"column\"], without `line`",
    .advice = "Do not rely on what DevTools shows for this column. If you write such files, write all columns that V8 writes.",
    .anchor = "v8/devtools.md#columns", .since = "0.1"};
inline constexpr Rule devtools_detachedness{
    .id = "v8snap.devtools.detachedness", .severity = Severity::warning, .stage = Stage::check,
    .title = "`detachedness` is at most 3",
    .reason = "DevTools keeps only the lowest two bits: 5 becomes 1, attached.",
    .example = "a node with a `detachedness` of 5",
    .advice = "Do not rely on what DevTools says about detached nodes. If you write such files, write 0 for unknown, 1 for attached and 2 for detached.",
    .anchor = "v8/devtools.md#numbers", .since = "0.1"};
inline constexpr Rule devtools_negative{
    .id = "v8snap.devtools.negative", .severity = Severity::warning, .stage = Stage::check,
    .title = "numbers are 0 or more",
    .reason = "DevTools recognises only digits: it reads -2 as 2. For a scope, that may be the id of another one; for a line, a column or an element, it is the wrong one.",
    .example = "a scope with a `scope_id` of -2",
    .advice = "There is nothing to repair: V8 writes such numbers. Do not rely on the contexts, places and element indices that DevTools shows for them.",
    .anchor = "v8/devtools.md#numbers", .since = "0.1"};
inline constexpr Rule devtools_precision{
    .id = "v8snap.devtools.precision", .severity = Severity::warning, .stage = Stage::check,
    .title = "numbers that DevTools keeps as doubles are at most 2^53",
    .reason = "DevTools rounds larger numbers.",
    .example = "a sample with a time of 9007199254740993",
    .advice = "Do not rely on the last digits that DevTools shows. If you write such files, keep times, sizes and ids below 2^53.",
    .anchor = "v8/devtools.md#numbers", .since = "0.1"};
inline constexpr Rule devtools_root_index{
    .id = "v8snap.devtools.root-index", .severity = Severity::error, .stage = Stage::check,
    .title = "`root_index` is 0 or missing",
    .reason = "If the root is neither the first nor the last node, DevTools fails or never finishes; if it is the last one, DevTools does not classify plain objects.",
    .example = "\"root_index\":7",
    .advice = "If you write such files, make the root the first node, and leave `root_index` out or set it to 0.",
    .anchor = "v8/devtools.md#columns", .since = "0.1"};
inline constexpr Rule devtools_sample_fields{
    .id = "v8snap.devtools.sample-fields", .severity = Severity::error, .stage = Stage::check,
    .title = "samples have two columns",
    .reason = "DevTools reads two numbers for each sample, regardless of `meta`, and fails or mistakes ids for times.",
    .example = "\"sample_fields\":[\"timestamp_us\",\"last_assigned_id\",\"size\"]",
    .advice = "If you write such files, write only `timestamp_us` and `last_assigned_id` for a sample.",
    .anchor = "v8/devtools.md#columns", .since = "0.1"};
inline constexpr Rule devtools_scope_depth{
    .id = "v8snap.devtools.scope-depth", .severity = Severity::error, .stage = Stage::check,
    .title = "scopes have a `depth`: 0 for the first scope of a script, and at most one more than that of the previous scope for all others",
    .reason = "DevTools looks for the enclosing scope, does not find it, and cannot show the contexts.",
    .example = "a script whose first scope has a `depth` of 1",
    .advice = "Use the other views of DevTools, which still work. If you write such files, write each scope directly after the scopes that enclose it.",
    .anchor = "v8/devtools.md#scopes", .since = "0.1"};
inline constexpr Rule devtools_section_between{
    .id = "v8snap.devtools.section-between", .severity = Severity::error, .stage = Stage::check,
    .title = "`trace_tree` follows `trace_function_infos` directly",
    .reason = "DevTools treats whatever follows the functions as the tree, and fails.",
    .example = "\"trace_function_infos\":[...],\"x\":1,\"trace_tree\":[...]",
    .advice = "Run heapcheck convert with --to heapsnapshot and --allow-loss, which drops members that V8 does not write.",
    .anchor = "v8/devtools.md#sections", .since = "0.1"};
inline constexpr Rule devtools_section_name{
    .id = "v8snap.devtools.section-name", .severity = Severity::error, .stage = Stage::check,
    .title = "section names are spelled without escapes and do not occur as anything else where DevTools searches for them",
    .reason = "DevTools searches the text for the quoted name and takes the next array, so it finds no array or the wrong one.",
    .example = "a node type called \"nodes\" in the header",
    .advice = "Run heapcheck convert with --to heapsnapshot and --allow-loss, which writes plain names and drops members that V8 does not write. If a column or type has the name of a section, rename it.",
    .anchor = "v8/devtools.md#sections", .since = "0.1"};
inline constexpr Rule devtools_strings_last{
    .id = "v8snap.devtools.strings-last", .severity = Severity::error, .stage = Stage::check,
    .title = "no `]` follows the strings",
    .reason = "DevTools treats everything up to the last `]` of the file as the strings, and fails.",
    .example = "\"strings\":[...],\"x\":[1]}",
    .advice = "Run heapcheck convert with --to heapsnapshot and --allow-loss, which drops members that V8 does not write.",
    .anchor = "v8/devtools.md#sections", .since = "0.1"};
inline constexpr Rule devtools_text_length{
    .id = "v8snap.devtools.text-length", .severity = Severity::error, .stage = Stage::check,
    .title = "the strings, the trace tree and each unknown member have at most 2^29 - 24 characters",
    .reason = "DevTools stores each of them as one string, and fails with `Invalid string length`.",
    .example = "a `strings` section of 600 MB",
    .advice = "DevTools cannot load such a file. If you write such files, shorten long strings, as V8 does.",
    .anchor = "v8/devtools.md#sections", .since = "0.1"};
inline constexpr Rule devtools_trace_depth{
    .id = "v8snap.devtools.trace-depth", .severity = Severity::error, .stage = Stage::check,
    .title = "the trace tree is at most 4,500 calls deep",
    .reason = "DevTools walks the tree by recursion, and fails with `Maximum call stack size exceeded`.",
    .example = "a trace tree of 20,000 nested calls",
    .advice = "DevTools cannot load such a file. If you write such files, limit the depth of the stacks that you record; V8 records at most 64 calls.",
    .anchor = "v8/devtools.md#allocations", .since = "0.1"};
inline constexpr Rule devtools_trace_empty{
    .id = "v8snap.devtools.trace-empty", .severity = Severity::error, .stage = Stage::check,
    .title = "the trace tree has a root if `trace_function_count` is not 0",
    .reason = "DevTools starts at the root, and fails.",
    .example = "\"trace_tree\":[] and \"trace_function_count\":2",
    .advice = "Run heapcheck recover, which also drops the functions, so that DevTools loads the rest. If you write such files, write the root of the tree even if it has no children.",
    .anchor = "v8/devtools.md#allocations", .since = "0.1"};
inline constexpr Rule devtools_trace_fields{
    .id = "v8snap.devtools.trace-fields", .severity = Severity::error, .stage = Stage::check,
    .title = "`meta` names the columns of functions and calls if `trace_function_count` is not 0",
    .reason = "DevTools fails with `Cannot read properties of undefined`.",
    .example = "\"trace_function_count\":2 in a header without `trace_node_fields`",
    .advice = "If you write such files, write `trace_function_info_fields` and `trace_node_fields` as V8 does.",
    .anchor = "v8/devtools.md#allocations", .since = "0.1"};
inline constexpr Rule devtools_trace_functions{
    .id = "v8snap.devtools.trace-functions", .severity = Severity::error, .stage = Stage::check,
    .title = "`trace_function_count` includes all functions that calls refer to",
    .reason = "DevTools drops the functions that are not counted, and fails at the first call that refers to one.",
    .example = "\"trace_function_count\":1, although a call refers to function 1, the second one",
    .advice = "Run heapcheck recover, which corrects the count, and drops calls of functions that are not in the file.",
    .anchor = "v8/devtools.md#allocations", .since = "0.1"};
inline constexpr Rule devtools_trace_ignored{
    .id = "v8snap.devtools.trace-ignored", .severity = Severity::warning, .stage = Stage::check,
    .title = "`trace_function_count` is not 0 if there are calls",
    .reason = "If the count is 0 or missing, DevTools skips functions and calls, and shows no stacks.",
    .example = "\"trace_function_count\":0 in a file with a trace tree",
    .advice = "Run heapcheck recover, which corrects the count.",
    .anchor = "v8/devtools.md#allocations", .since = "0.1"};
inline constexpr Rule devtools_type_name{
    .id = "v8snap.devtools.type-name", .severity = Severity::warning, .stage = Stage::check,
    .title = "types that DevTools looks up have different names",
    .reason = "DevTools finds only the first type with a name, and treats nodes or edges of the second one as if they had a different type.",
    .example = "\"node_types\":[[\"synthetic\",\"object\",\"object\"],...]",
    .advice = "Do not rely on what DevTools shows for the second type. If you write such files, give every type its own name.",
    .anchor = "v8/devtools.md#columns", .since = "0.1"};
inline constexpr Rule devtools_wrap{
    .id = "v8snap.devtools.wrap", .severity = Severity::warning, .stage = Stage::check,
    .title = "numbers of nodes, edges and functions are at most 2^32 - 1",
    .reason = "DevTools keeps only the lowest 32 bits: 4,294,967,301 becomes 5.",
    .example = "a node with id 4294967301",
    .advice = "Do not rely on what DevTools shows for these values. If you write such files, keep ids and sizes below 2^32.",
    .anchor = "v8/devtools.md#numbers", .since = "0.1"};
inline constexpr Rule memlab_locations{
    .id = "v8snap.memlab.locations", .severity = Severity::error, .stage = Stage::check,
    .title = "`meta` names the columns of locations if there are any",
    .reason = "memlab divides by the number of columns, which is then 0, and never finishes.",
    .example = "\"locations\":[14,9,2,28] in a file without `location_fields`",
    .advice = "If you write such files, write `location_fields`, or no numbers in `locations`.",
    .anchor = "v8/memlab.md#needs", .since = "0.1"};
inline constexpr Rule memlab_negative{
    .id = "v8snap.memlab.negative", .severity = Severity::warning, .stage = Stage::check,
    .title = "numbers of edges and locations are 0 or more",
    .reason = "memlab recognises only digits: it reads -1 as 1. An element, a line or a column is then the wrong one.",
    .example = "an element edge with the index -1294967296",
    .advice = "There is nothing to repair: V8 writes such numbers. Do not rely on the element indices and places that memlab shows for them.",
    .anchor = "v8/memlab.md#needs", .since = "0.1"};
inline constexpr Rule memlab_nodes_first{
    .id = "v8snap.memlab.nodes-first", .severity = Severity::error, .stage = Stage::check,
    .title = "`nodes` follows the header directly",
    .reason = "memlab treats everything before the nodes as the header, and fails with `meta data parsing error` or a JSON error.",
    .example = "\"snapshot\":{...},\"x\":1,\"nodes\":[...]",
    .advice = "Run heapcheck convert with --to heapsnapshot and --allow-loss, which drops members that V8 does not write.",
    .anchor = "v8/memlab.md#needs", .since = "0.1"};
inline constexpr Rule memlab_root_index{
    .id = "v8snap.memlab.root-index", .severity = Severity::warning, .stage = Stage::check,
    .title = "`root_index` is 0 or missing",
    .reason = "memlab treats the first node as the root, whatever the header says.",
    .example = "\"root_index\":7",
    .advice = "If you write such files, make the root the first node, and leave `root_index` out or set it to 0.",
    .anchor = "v8/memlab.md#needs", .since = "0.1"};
inline constexpr Rule memlab_section_name{
    .id = "v8snap.memlab.section-name", .severity = Severity::error, .stage = Stage::check,
    .title = "the keys `nodes`, `edges` and `locations` are spelled without escapes, directly before their colons, and do not occur earlier",
    .reason = "memlab searches the text for the key and its colon. If it does not find them, it continues without the section; if it finds them elsewhere in the text, it takes the wrong array.",
    .example = "\"edges\" :[...], with a space before the colon",
    .advice = "Run heapcheck convert with --to heapsnapshot and --allow-loss, which writes the keys as V8 does and drops members that V8 does not write.",
    .anchor = "v8/memlab.md#needs", .since = "0.1"};
inline constexpr Rule memlab_text_length{
    .id = "v8snap.memlab.text-length", .severity = Severity::error, .stage = Stage::check,
    .title = "everything except nodes, edges and locations has at most 2^29 - 24 characters",
    .reason = "memlab stores all of this as one string, and fails with `Invalid string length`.",
    .example = "a `strings` section of 600 MB",
    .advice = "memlab cannot load such a file. If you write such files, shorten long strings, as V8 does.",
    .anchor = "v8/memlab.md#needs", .since = "0.1"};
inline constexpr Rule memlab_wrap{
    .id = "v8snap.memlab.wrap", .severity = Severity::warning, .stage = Stage::check,
    .title = "numbers of nodes, edges and locations are at most 2^32 - 1",
    .reason = "memlab keeps only the lowest 32 bits: 4,294,967,301 becomes 5.",
    .example = "a node with id 4294967301",
    .advice = "Do not rely on what memlab shows for these values. If you write such files, keep ids and sizes below 2^32.",
    .anchor = "v8/memlab.md#needs", .since = "0.1"};
inline constexpr std::array all{&devtools_column, &devtools_detachedness, &devtools_negative, &devtools_precision, &devtools_root_index, &devtools_sample_fields, &devtools_scope_depth, &devtools_section_between, &devtools_section_name, &devtools_strings_last, &devtools_text_length, &devtools_trace_depth, &devtools_trace_empty, &devtools_trace_fields, &devtools_trace_functions, &devtools_trace_ignored, &devtools_type_name, &devtools_wrap, &memlab_locations, &memlab_negative, &memlab_nodes_first, &memlab_root_index, &memlab_section_name, &memlab_text_length, &memlab_wrap};
// clang-format on

/// memlab refuses the byte order mark, which other readers ignore.
inline constexpr Rule memlab_file_bom = [] {
  Rule rule = heapcheck::v8::heapsnapshot::rules::file_bom;
  rule.severity = Severity::error;
  rule.stage = Stage::check;
  return rule;
}();

/// memlab refuses text before the document, which DevTools skips.
inline constexpr Rule memlab_file_prefix = [] {
  Rule rule = heapcheck::v8::heapsnapshot::rules::file_prefix;
  rule.severity = Severity::error;
  rule.stage = Stage::check;
  return rule;
}();

/// DevTools cannot load files in which Hermes left the counts at 0.
inline constexpr Rule devtools_header_zero_counts = [] {
  Rule rule = heapsnapshot::rules::header_zero_counts;
  rule.severity = Severity::error;
  return rule;
}();

/// DevTools cannot load files whose root has more edges than there are nodes.
inline constexpr Rule devtools_nodes_root_edges = [] {
  Rule rule = heapsnapshot::rules::nodes_root_edges;
  rule.severity = Severity::error;
  return rule;
}();

}  // namespace heapcheck::validation::v8::heapsnapshot::readers::rules

namespace heapcheck::validation::v8::heapsnapshot::readers {

// Checks whether the header, the columns and their values meet the additional requirements of Chrome
// DevTools.

void check_header_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);
void check_columns_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);
void check_numbers_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);

// Checks whether the text of a heap snapshot meets the additional requirements of Chrome DevTools. DevTools
// parses only the header and the strings as JSON, and searches the text for everything else.

/// Applies all these rules. The text must have been read (see v8::heapsnapshot::read_snapshot()).
void check_text_for_devtools(const Snapshot& snapshot, const ReaderProfile& reader, core::FindingSink& sink);

// Checks whether the calls that allocated memory and the scopes meet the additional requirements of Chrome
// DevTools.

/// Returns whether the header counts too few functions for DevTools. If it does, reports that.
[[nodiscard]] bool check_dropped_functions(const Snapshot& snapshot, core::FindingSink& sink);
void check_trace_for_devtools(const Snapshot& snapshot, const ReaderProfile& reader, core::FindingSink& sink);
void check_scopes_for_devtools(const Snapshot& snapshot, core::FindingSink& sink);

// Checks whether a heap snapshot meets the additional requirements of memlab, which cuts nodes, edges and
// locations out of the text and parses the rest as JSON.

/// Applies all these rules. The text must have been read (see v8::heapsnapshot::read_snapshot()).
void check_for_memlab(const Snapshot& snapshot, const ReaderProfile& reader, core::FindingSink& sink);

// Checks for numbers that a reader truncates to their low bits or whose sign it drops.

/// The columns of the graph itself, whose numbers a reader may store in 32 bits.
inline constexpr format::ColumnName graph_numbers[] = {
    {Section::nodes, "id"},
    {Section::nodes, "self_size"},
    {Section::nodes, "trace_node_id"},
    {Section::edges, "name_or_index"},
    {Section::edges, "to_node"},
};
inline constexpr std::uint64_t largest_unsigned = 0xFFFF'FFFF;

/// Reports the values above `largest` in the columns. Ignores names and references to missing rows, which are
/// reported by rules of the format.
void check_widths(const Snapshot& snapshot, std::span<const format::ColumnName> columns,
                  std::uint64_t largest, const Rule& rule, core::FindingSink& sink);

/// Reports the negative numbers in `sections`, whose signs `reader` drops, once for each section.
void check_dropped_signs(const Snapshot& snapshot, std::span<const Section> sections, std::string_view reader,
                         const Rule& rule, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot::readers
