#include "formats/core/json/faults.hpp"

#include <algorithm>
#include <array>

namespace heapcheck::core {

const Rule& rule_of(JsonErrorKind kind) {
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
  const auto* const found = std::ranges::find(special, kind, &RuleOf::kind);
  return found == special.end() ? rules::json_document_syntax : *found->rule;
}

void report_trailing(Window& window, FindingSink& sink) {
  sink.report(
      {&rules::json_document_trailing,
       {{window.offset(), 1}},
       "found " + json::describe_byte(window.peek(1)[0]) + " after the document, expected only white space"});
}

}  // namespace heapcheck::core
