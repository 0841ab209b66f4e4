// What all commands that ask about dumps have in common: the dumps are opened and checked, and the answer is
// printed.
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/progress.hpp"
#include "cli/values.hpp"
#include "heapcheck/ask.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/types/report.hpp"

namespace heapcheck::cli {

/// Enforces the limits, enters the sandbox, opens the dump at `path`, and checks it. If that gives no
/// answers, prints why and returns the exit status. `output` is a file that will be written, or empty.
/// `progress` must outlive the dump.
std::expected<Dump, int> open_to_ask(const Values& values, const std::string& path, const std::string& output,
                                     Progress& progress);

using VisitDump =
    std::function<Result<void>(const std::string& path, const Dump& dump, const Report& report)>;

/// The same for several dumps, one after the other: calls `visit` with each. Stops with the first error, also
/// one of `visit`. Returns the exit status.
int visit_dumps(const Values& values, const std::vector<std::string>& paths, const std::string& output,
                const VisitDump& visit);

/// The options of a question, from the options and arguments of the command with its name. Errors:
/// unsupported, if the words of an argument are not understood.
Result<OptionValues> make_question_options(std::string_view question, const Values& values);

/// The form that --output names.
AnswerForm find_answer_form(const Values& values);

/// The number of rows that --limit allows. By default, only text is limited. A command without this option
/// has no limit.
std::size_t most_rows(const Values& values);

}  // namespace heapcheck::cli
