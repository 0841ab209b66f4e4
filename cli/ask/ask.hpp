// Functions shared by all commands that ask questions about dumps. They open and check the dumps, and print
// the answer.
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

/// Enforces the limits, enters the sandbox, opens the dump at `path`, and checks it. If questions about it
/// cannot be answered, prints why and returns the exit status. `output` is a file that will be written, or
/// empty. `progress` must outlive the dump.
std::expected<Dump, int> open_to_ask(const Values& values, const std::string& path, const std::string& output,
                                     Progress& progress);

using VisitDump = std::function<Result<void>(const std::string& path, Dump& dump, const Report& report)>;

/// Does the same for several dumps, one after the other, and calls `visit` with each, which may use it up.
/// Stops at the first error, including an error from `visit`. Returns the exit status.
int visit_dumps(const Values& values, const std::vector<std::string>& paths, const std::string& output,
                const VisitDump& visit);

/// Asks a question about the files that the arguments FILE and LATER name, and prints the answer. Before
/// that, calls `use` with it, which may write the file `output`, unless this is empty, and returns whether
/// this worked. Returns the exit status.
int ask_library(std::string_view name, const Values& values, const OptionValues& options,
                const std::string& output, const std::function<bool(const Answer&)>& use);

/// Converts the options and arguments of the command with the same name into the options of a question.
/// Errors: unsupported if the words of an argument cannot be parsed.
Result<OptionValues> make_question_options(std::string_view question, const Values& values);

/// Prints the remarks that the answer in that form does not contain.
void print_remarks(const std::vector<Remark>& remarks, AnswerForm form);

/// The form that --output names.
AnswerForm find_answer_form(const Values& values);

/// The number of rows that --limit allows. By default, only text output is limited. A command without this
/// option has no limit.
std::size_t most_rows(const Values& values);

}  // namespace heapcheck::cli
