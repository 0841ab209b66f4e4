// The rules about JSON itself, the same for all formats that are JSON, and the finding that a
// JsonError is.
#pragma once

#include <array>

#include "formats/core/finding_sink.hpp"
#include "formats/core/json/error.hpp"
#include "formats/core/window.hpp"
#include "heapcheck/finding.hpp"

namespace heapcheck::core::rules {

// One line a member, however long.
// clang-format off
inline constexpr Rule json_document_syntax{
    .id = "json.document.syntax", .severity = Severity::error, .stage = Stage::read,
    .title = "a JSON document follows the grammar of RFC 8259",
    .reason = "JSON.parse and every strict reader refuse the whole file.",
    .anchor = "json.md#documents", .since = "0.1"};
inline constexpr Rule json_document_trailing{
    .id = "json.document.trailing", .severity = Severity::error, .stage = Stage::read,
    .title = "nothing but white space follows the document",
    .reason = "JSON.parse and every strict reader refuse the whole file.",
    .anchor = "json.md#documents", .since = "0.1"};
inline constexpr Rule json_document_truncated{
    .id = "json.document.truncated", .severity = Severity::error, .stage = Stage::read,
    .title = "a JSON document goes on to the end of its value",
    .reason = "The writing process died or the copy was cut; JSON.parse refuses the whole file.",
    .anchor = "json.md#documents", .since = "0.1"};
inline constexpr Rule json_number_syntax{
    .id = "json.number.syntax", .severity = Severity::error, .stage = Stage::read,
    .title = "a number follows the grammar of RFC 8259",
    .reason = "JSON.parse and every strict reader refuse the whole file.",
    .anchor = "json.md#numbers", .since = "0.1"};
inline constexpr Rule json_object_duplicate_key{
    .id = "json.object.duplicate-key", .severity = Severity::error, .stage = Stage::read,
    .title = "a member of an object occurs once",
    .reason = "Most readers keep the last one, some the first.",
    .anchor = "json.md#objects", .since = "0.1"};
inline constexpr Rule json_string_control{
    .id = "json.string.control-character", .severity = Severity::error, .stage = Stage::read,
    .title = "a string has no unescaped control characters",
    .reason = "JSON.parse and every strict reader refuse the whole file.",
    .anchor = "json.md#strings", .since = "0.1"};
inline constexpr Rule json_string_escape{
    .id = "json.string.escape", .severity = Severity::error, .stage = Stage::read,
    .title = "a backslash in a string begins one of the escapes",
    .reason = "JSON.parse and every strict reader refuse the whole file.",
    .anchor = "json.md#strings", .since = "0.1"};
inline constexpr Rule json_string_utf8{
    .id = "json.string.utf8", .severity = Severity::error, .stage = Stage::read,
    .title = "a string is UTF-8",
    .reason = "Readers show replacement characters, or refuse the whole file.",
    .anchor = "json.md#strings", .since = "0.1"};
inline constexpr Rule limit_json_depth{
    .id = "limit.json-depth", .severity = Severity::error, .stage = Stage::limit,
    .title = "arrays and objects nest no deeper than the limit",
    .reason = "Real files nest a few hundred deep; each level costs memory.",
    .anchor = "diagnostics.md#limits", .since = "0.1"};
inline constexpr Rule limit_json_text{
    .id = "limit.json-text", .severity = Severity::error, .stage = Stage::limit,
    .title = "a text that must be kept whole is no longer than the limit",
    .reason = "Reading stops before memory runs out.",
    .anchor = "diagnostics.md#limits", .since = "0.1"};
inline constexpr std::array json_faults{&json_document_syntax, &json_document_trailing, &json_document_truncated, &json_number_syntax, &json_object_duplicate_key, &json_string_control, &json_string_escape, &json_string_utf8, &limit_json_depth, &limit_json_text};
// clang-format on

}  // namespace heapcheck::core::rules

namespace heapcheck::core {

/// The rule that an error of this kind breaks.
const Rule& rule_of(JsonErrorKind kind);

/// Where the error is: one byte, none at the input's end.
inline Span span_of(const JsonError& error) {
  return {error.offset, error.kind == JsonErrorKind::truncated ? 0U : 1U};
}

/// Reports what follows the document at the window's place, which is no white space.
void report_trailing(Window& window, FindingSink& sink);

}  // namespace heapcheck::core
