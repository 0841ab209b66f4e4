// The answers of the commands that ask about one snapshot, for the command line and for the shell. Each
// function takes the values of the command's arguments and options. Errors: unsupported, if the words or the
// id of a node are not understood.
#pragma once

#include "cli/ask/answer.hpp"
#include "cli/ask/ask.hpp"
#include "cli/values.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::cli {

Result<Answer> answer_summary(const Values& values, const Asked& asked);
Result<Answer> answer_top(const Values& values, const Asked& asked);
Result<Answer> answer_find(const Values& values, const Asked& asked);
Result<Answer> answer_count(const Values& values, const Asked& asked);
Result<Answer> answer_show(const Values& values, const Asked& asked);
Result<Answer> answer_path(const Values& values, const Asked& asked);
Result<Answer> answer_retainers(const Values& values, const Asked& asked);
Result<Answer> answer_suspects(const Values& values, const Asked& asked);
Result<Answer> answer_retained(const Values& values, const Asked& asked);
Result<Answer> answer_dominators(const Values& values, const Asked& asked);
Result<Answer> answer_unreachable(const Values& values, const Asked& asked);
Result<Answer> answer_duplicates(const Values& values, const Asked& asked);

}  // namespace heapcheck::cli
