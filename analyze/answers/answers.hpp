// What makes the answers, for the table of questions. Each function takes the values of its question's
// options. Errors: unsupported, if the words or the id of a node are not understood.
#pragma once

#include <memory>

#include "analyze/answers/options.hpp"
#include "analyze/answers/question.hpp"
#include "heapcheck/types/result.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck::analyze::answers {

// About one snapshot.
Result<Answer> answer_top(const Options& options, const Asked& asked);
Result<Answer> answer_tree(const Options& options, const Asked& asked);
Result<Answer> answer_find(const Options& options, const AskedHeap& asked);
Result<Answer> answer_count(const Options& options, const AskedHeap& asked);
Result<Answer> answer_show(const Options& options, const AskedHeap& asked);
Result<Answer> answer_path(const Options& options, const AskedHeap& asked);
Result<Answer> answer_retainers(const Options& options, const AskedHeap& asked);
Result<Answer> answer_retained(const Options& options, const AskedHeap& asked);
Result<Answer> answer_dominators(const Options& options, const AskedHeap& asked);
Result<Answer> answer_unreachable(const Options& options, const AskedHeap& asked);
Result<Answer> answer_duplicates(const Options& options, const AskedHeap& asked);

// About any number of snapshots.
std::unique_ptr<AnswerMaker> make_summary(const Options& options);
std::unique_ptr<AnswerMaker> make_suspects(const Options& options);
std::unique_ptr<AnswerMaker> make_diff(const Options& options);
std::unique_ptr<AnswerMaker> make_growth(const Options& options);

// Errors in texts that need no dump to be found.
Result<void> check_order(const Options& options);
Result<void> check_query(const Options& options);
Result<void> check_merged(const Options& options);
Result<void> check_conditions(const Options& options);

}  // namespace heapcheck::analyze::answers
