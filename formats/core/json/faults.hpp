// The rules for JSON itself, which are the same for all JSON formats, and the conversion from JsonError to
// findings.
#pragma once

#include <algorithm>
#include <array>

#include "formats/core/finding_sink.hpp"
#include "formats/core/json/token.hpp"
#include "formats/core/window.hpp"
#include "heapcheck/types/finding.hpp"

namespace heapcheck::core::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule json_document_syntax{
    .id = "json.document.syntax", .severity = Severity::error, .stage = Stage::read,
    .title = "a JSON document follows the grammar of RFC 8259",
    .reason = "JSON.parse and every strict reader reject the whole file.",
    .example = "[1,] (no value after the comma)",
    .advice = "Look at the place of the finding, which is the first byte that is not JSON. heapcheck recover keeps the content before it. If you write such files, use a JSON library instead of concatenating text.",
    .anchor = "json.md#documents", .since = "0.1"};
inline constexpr Rule json_document_trailing{
    .id = "json.document.trailing", .severity = Severity::error, .stage = Stage::read,
    .title = "nothing but white space follows the document",
    .reason = "JSON.parse and every strict reader reject the whole file.",
    .example = "{\"a\":1}x",
    .advice = "Remove everything after the last bracket of the document. If you write such files, truncate an existing file before you overwrite it with a shorter one.",
    .anchor = "json.md#documents", .since = "0.1"};
inline constexpr Rule json_document_truncated{
    .id = "json.document.truncated", .severity = Severity::error, .stage = Stage::read,
    .title = "a JSON document is complete",
    .reason = "The process that wrote the file died, or the file was only partly copied. JSON.parse rejects the whole file.",
    .example = "a file that ends after {\"nodes\":[1,2",
    .advice = "Copy the file again if the original is complete. For V8 files, heapcheck recover keeps the content that is left.",
    .anchor = "json.md#documents", .since = "0.1"};
inline constexpr Rule json_number_syntax{
    .id = "json.number.syntax", .severity = Severity::error, .stage = Stage::read,
    .title = "a number follows the grammar of RFC 8259",
    .reason = "JSON.parse and every strict reader reject the whole file.",
    .example = "[01], [+1] or [1.] instead of [1]",
    .advice = "Correct the number at the place of the finding. If you write such files, write no leading zeros and no plus sign, and at least one digit after the decimal point.",
    .anchor = "json.md#numbers", .since = "0.1"};
inline constexpr Rule json_object_duplicate_key{
    .id = "json.object.duplicate-key", .severity = Severity::error, .stage = Stage::read,
    .title = "each member of an object occurs only once",
    .reason = "Most readers keep the last of these members, some keep the first, and some reject the file.",
    .example = "{\"nodes\":[1],\"nodes\":[2]}",
    .advice = "Remove one of the two members. If you write such files, collect all values of a member before you write it.",
    .anchor = "json.md#objects", .since = "0.1"};
inline constexpr Rule json_string_control{
    .id = "json.string.control-character", .severity = Severity::error, .stage = Stage::read,
    .title = "a string contains no unescaped control characters",
    .reason = "JSON.parse and every strict reader reject the whole file.",
    .example = "a line feed in a string, not written as \\n",
    .advice = "Replace the byte with its escape, such as \\n or \\u001f. If you write such files, escape every byte below 0x20 in a string.",
    .anchor = "json.md#strings", .since = "0.1"};
inline constexpr Rule json_string_escape{
    .id = "json.string.escape", .severity = Severity::error, .stage = Stage::read,
    .title = "a backslash in a string begins a valid escape",
    .reason = "JSON.parse and every strict reader reject the whole file.",
    .example = "\"C:\\data\", since \\d is not an escape",
    .advice = "Write two backslashes for a literal backslash. If you write such files, use a JSON library to write strings.",
    .anchor = "json.md#strings", .since = "0.1"};
inline constexpr Rule json_string_utf8{
    .id = "json.string.utf8", .severity = Severity::error, .stage = Stage::read,
    .title = "a string is valid UTF-8",
    .reason = "Readers show replacement characters or reject the whole file.",
    .example = "a string with the byte 0xe9, the letter é in Latin-1",
    .advice = "Convert the file to UTF-8, for example with iconv. If you write such files, convert names to UTF-8 before you write them.",
    .anchor = "json.md#strings", .since = "0.1"};
inline constexpr Rule limit_json_depth{
    .id = "limit.json-depth", .severity = Severity::error, .stage = Stage::limit,
    .title = "arrays and objects are nested no deeper than the limit",
    .reason = "Each level takes up memory, and real files are nested a few hundred levels deep at most.",
    .example = "a million opening brackets in a row",
    .advice = "No real dump is nested this deeply, so check where the file comes from.",
    .anchor = "diagnostics.md#limits", .since = "0.1"};
inline constexpr Rule limit_json_text{
    .id = "limit.json-text", .severity = Severity::error, .stage = Stage::limit,
    .title = "text that must be kept in full is no longer than the limit",
    .reason = "Reading stops before memory runs out.",
    .example = "a name of 9 MiB, where the limit is 8 MiB",
    .advice = "Shorten the text if you can. If you write such files, cut off long names and the values of long strings.",
    .anchor = "diagnostics.md#limits", .since = "0.1"};
inline constexpr std::array json_faults{&json_document_syntax, &json_document_trailing, &json_document_truncated, &json_number_syntax, &json_object_duplicate_key, &json_string_control, &json_string_escape, &json_string_utf8, &limit_json_depth, &limit_json_text};
// clang-format on

}  // namespace heapcheck::core::rules

namespace heapcheck::core {

/// The rule that an error of this kind violates.
inline const Rule& rule_of(JsonErrorKind kind) {
  struct RuleOf {
    JsonErrorKind kind;
    const Rule* rule;
  };
  using enum JsonErrorKind;
  constexpr std::array special{RuleOf{number, &rules::json_number_syntax},
                               RuleOf{escape, &rules::json_string_escape},
                               RuleOf{utf8, &rules::json_string_utf8},
                               RuleOf{control_character, &rules::json_string_control},
                               RuleOf{depth_limit, &rules::limit_json_depth},
                               RuleOf{text_limit, &rules::limit_json_text},
                               RuleOf{truncated, &rules::json_document_truncated}};
  const auto found = std::ranges::find(special, kind, &RuleOf::kind);
  return found == special.end() ? rules::json_document_syntax : *found->rule;
}

/// The place of the error: one byte, or an empty span at the end of the input.
inline Span span_of(const JsonError& error) {
  return {error.offset, error.kind == JsonErrorKind::truncated ? 0U : 1U};
}

/// Reports the byte at the window's position, which is after the document and is not white space.
inline void report_trailing(Window& window, FindingSink& sink) {
  sink.report(
      {&rules::json_document_trailing,
       {{window.offset(), 1}},
       "found " + json::describe_byte(window.peek(1)[0]) + " after the document, expected only white space"});
}

}  // namespace heapcheck::core
