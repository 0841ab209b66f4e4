// The question whether heaps meet rules, for the table of questions.
#pragma once

#include <memory>

#include "analyze/answers/options.hpp"
#include "analyze/answers/question.hpp"

namespace heapcheck::analyze::answers {

std::unique_ptr<AnswerMaker> make_assert(const Options& options);
/// Checks for errors in rules, which can be detected without a dump.
Result<void> check_rules(const Options& options);

}  // namespace heapcheck::analyze::answers
