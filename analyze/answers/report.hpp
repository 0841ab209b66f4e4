// Reports on the conditions of an answer, for CI systems. spec: diagnostics.md#conditions
#pragma once

#include <string>
#include <string_view>

#include "heapcheck/types/table.hpp"

namespace heapcheck::analyze::answers {

/// The report in one of the forms for CI systems. Except for Markdown, all rows of the table of the answer
/// must have been made. `version` is that of this program, or empty.
[[nodiscard]] std::string write_report(const Answer& answer, AnswerForm form, std::string_view version);

}  // namespace heapcheck::analyze::answers
