// The answers of the commands that ask about one snapshot, for the command line and for the shell. Each
// function takes the values of the command's arguments and options. Errors: unsupported, if the words or the
// id of a node are not understood.
#pragma once

#include <string>
#include <string_view>

#include "cli/ask/answer.hpp"
#include "cli/ask/ask.hpp"
#include "cli/values.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::cli {

/// The words of an argument that is repeated, with blanks between them.
std::string join_words(const Values& values, std::string_view argument);
/// Whether these words are a query. Otherwise, prints why they are not.
bool check_query(const Values& values, std::string_view argument);

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

/// What changes between two or three snapshots of a dump, whose indices are the words of the argument N.
Result<Answer> answer_diff(const Values& values, const std::string& file, const Dump& dump);
/// What grows over all snapshots of a dump.
Result<Answer> answer_growth(const Values& values, const std::string& file, const Dump& dump);

}  // namespace heapcheck::cli
