#include "formats/core/json/faults.hpp"

namespace heapcheck::core {

const Rule& rule_of(JsonErrorKind kind) {
  switch (kind) {
    case JsonErrorKind::syntax:
      break;
    case JsonErrorKind::number:
      return rules::json_number_syntax;
    case JsonErrorKind::escape:
      return rules::json_string_escape;
    case JsonErrorKind::utf8:
      return rules::json_string_utf8;
    case JsonErrorKind::control_character:
      return rules::json_string_control;
    case JsonErrorKind::depth_limit:
      return rules::limit_json_depth;
    case JsonErrorKind::text_limit:
      return rules::limit_json_text;
    case JsonErrorKind::truncated:
      return rules::json_document_truncated;
  }
  return rules::json_document_syntax;
}

void report_trailing(Window& window, FindingSink& sink) {
  sink.report(
      {&rules::json_document_trailing,
       {{window.offset(), 1}},
       json::describe_byte(window.peek(1)[0]) + " follows the document; nothing but white space may"});
}

}  // namespace heapcheck::core
