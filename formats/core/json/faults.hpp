// The rules about JSON itself, the same for all formats that are JSON, and the finding that a
// JsonError is.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/core/json/error.hpp"
#include "heapcheck/finding.hpp"

namespace heapcheck::core::rules {

inline constexpr Rule json_document_syntax{"json.document.syntax",
                                           Severity::error,
                                           Stage::read,
                                           "a JSON document follows the grammar of RFC 8259",
                                           "JSON.parse and every strict reader refuse the whole file.",
                                           "json.md#documents",
                                           "0.1"};
inline constexpr Rule json_document_trailing{"json.document.trailing",
                                             Severity::error,
                                             Stage::read,
                                             "nothing but white space follows the document",
                                             "JSON.parse and every strict reader refuse the whole file.",
                                             "json.md#documents",
                                             "0.1"};
inline constexpr Rule json_document_truncated{
    "json.document.truncated",
    Severity::error,
    Stage::read,
    "a JSON document goes on to the end of its value",
    "The writing process died or the copy was cut; JSON.parse refuses the whole file.",
    "json.md#documents",
    "0.1"};
inline constexpr Rule json_number_syntax{"json.number.syntax",
                                         Severity::error,
                                         Stage::read,
                                         "a number follows the grammar of RFC 8259",
                                         "JSON.parse and every strict reader refuse the whole file.",
                                         "json.md#numbers",
                                         "0.1"};
inline constexpr Rule json_object_duplicate_key{"json.object.duplicate-key",
                                                Severity::error,
                                                Stage::read,
                                                "a member of an object occurs once",
                                                "Most readers keep the last one, some the first.",
                                                "json.md#objects",
                                                "0.1"};
inline constexpr Rule json_string_control{"json.string.control-character",
                                          Severity::error,
                                          Stage::read,
                                          "a string has no unescaped control characters",
                                          "JSON.parse and every strict reader refuse the whole file.",
                                          "json.md#strings",
                                          "0.1"};
inline constexpr Rule json_string_escape{"json.string.escape",
                                         Severity::error,
                                         Stage::read,
                                         "a backslash in a string begins one of the escapes",
                                         "JSON.parse and every strict reader refuse the whole file.",
                                         "json.md#strings",
                                         "0.1"};
inline constexpr Rule json_string_utf8{"json.string.utf8",
                                       Severity::error,
                                       Stage::read,
                                       "a string is UTF-8",
                                       "Readers show replacement characters, or refuse the whole file.",
                                       "json.md#strings",
                                       "0.1"};
inline constexpr Rule limit_json_depth{"limit.json-depth",
                                       Severity::error,
                                       Stage::limit,
                                       "arrays and objects nest no deeper than the limit",
                                       "Real files nest a few hundred deep; each level costs memory.",
                                       "diagnostics.md#limits",
                                       "0.1"};
inline constexpr Rule limit_json_text{"limit.json-text",
                                      Severity::error,
                                      Stage::limit,
                                      "a text that must be kept whole is no longer than the limit",
                                      "Reading stops before memory runs out.",
                                      "diagnostics.md#limits",
                                      "0.1"};

}  // namespace heapcheck::core::rules

namespace heapcheck::core {

/// The rule that an error of this kind breaks.
const Rule& rule_of(JsonErrorKind kind);

/// Where the error is: one byte, none at the input's end.
inline Span span_of(const JsonError& error) {
  return {error.offset, error.kind == JsonErrorKind::truncated ? 0U : 1U};
}

}  // namespace heapcheck::core
