#include "cli/ask/ask.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/rewrite.hpp"
#include "cli/system/limits.hpp"
#include "cli/system/sandbox.hpp"
#include "formats/core/text/nearest.hpp"
#include "formats/core/text/parse_number.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

int fail(const std::string& path, const Error& error) {
  print_file_error(path, error.message);
  return status_of(error.kind);
}

const Finding* find_first(const Report& report, bool (*fits)(const Finding& finding)) {
  const auto found = std::ranges::find_if(report.findings, fits);
  return found == report.findings.end() ? nullptr : &*found;
}

bool is_error(const Finding& finding) { return finding.rule->severity == Severity::error; }

/// The first error that can change an answer or, if there is none, the first error.
const Finding* find_error(const Report& report) {
  const Finding* const relevant = find_first(
      report, [](const Finding& finding) { return is_error(finding) && affects_answers(finding); });
  return relevant != nullptr ? relevant : find_first(report, is_error);
}

void print_damage(const std::string& path, const Finding& error, std::string_view outcome) {
  print_file_error(
      path, fmt::format("is damaged at {:#x}: {}; {}", error.location.file.offset, error.message, outcome));
}

/// Returns `sound` if questions about the dump can be answered. Otherwise, prints why and returns the exit
/// status. With --force, says nothing about damage yet, because only an attempt shows whether the intact
/// parts are enough for an answer.
int check(const Values& values, const std::string& path, const Report& report) {
  if (const auto obstacle = find_obstacle(report)) {
    const bool is_damaged = obstacle->kind == ErrorKind::damaged;
    if (is_damaged && values.get<bool>("force")) return sound;
    const std::string_view help = is_damaged ? "; `heapcheck recover` keeps the intact parts" : "";
    return fail(path, {obstacle->kind, fmt::format("{}{}", obstacle->message, help)});
  }
  if (const Finding* const error = find_error(report))
    print_damage(path, *error, "the answer does not depend on it");
  return sound;
}

/// A dump about which questions can be answered.
struct Opened {
  Dump dump;
  Report report;
};

/// Opens and checks a dump. If questions about it cannot be answered, prints why and returns the exit status.
std::expected<Opened, int> open_checked(const Values& values, const Limits& limits, const std::string& path,
                                        Progress& progress) {
  auto dump = open(path, {.limits = limits, .on_read = progress.counter()});
  if (!dump) return std::unexpected(fail(path, dump.error()));
  Report report = validate(*dump);
  if (const int status = check(values, path, report); status != sound) return std::unexpected(status);
  return Opened{std::move(*dump), std::move(report)};
}

/// After an attempt to use the intact parts of a damaged dump, prints whether they were enough. Returns the
/// exit status.
int conclude_force(const std::string& path, const Report& report, bool is_intact) {
  const Finding* const error = find_error(report);
  if (error == nullptr || !affects_answers(*error)) return sound;
  print_damage(path, *error,
               is_intact
                   ? "the answer covers only the intact parts"
                   : "the intact parts are not enough for an answer, but `heapcheck recover` may keep some");
  return is_intact ? sound : status_of(ErrorKind::unreadable);
}

/// The file to which --summary adds a report; empty if there is none.
std::string find_summary_file(const Values& values) {
  return values.has("summary") ? values.get<std::string>("summary") : std::string();
}

/// Checks that the file for --summary is used for nothing else. If it is, prints why and returns false.
bool check_summary(const Values& values, const std::string& summary, const std::vector<std::string>& paths) {
  if (summary.empty()) return true;
  if (summary == "-") {
    print_error("found - for --summary, expected a file, because the answer goes to standard output");
    return false;
  }
  for (const std::string_view option : {"rules", "known", "write-known"}) {
    if (!values.has(option)) continue;
    const auto file = values.get<std::string>(option);
    if (file != summary && !is_same_file(file, summary)) continue;
    print_file_error(summary,
                     fmt::format("is the file for --{}, expected another one for --summary", option));
    return false;
  }
  return check_is_no_input(summary, paths);
}

/// Enforces the limits and enters the sandbox, in which `output` and the summary can be written. If a file
/// cannot be read, prints why and returns false.
bool prepare(const Reading& reading, const std::vector<std::string>& paths, const std::string& output,
             const std::string& summary = {}) {
  if (std::ranges::count(paths, "-") > 1) {
    print_error("found - more than once, but standard input can be read only once");
    return false;
  }
  if (std::ranges::any_of(paths, complain_if_standard_output)) return false;
  begin_reading(reading,
                {.inputs = paths, .output = output, .other_output = summary, .needs_temporary = true});
  return true;
}

/// Parses `every N`, or no words at all.
Result<std::uint64_t> parse_step(const std::vector<std::string>& words) {
  if (words.empty()) return 1;
  const std::vector<std::string> known = {"every"};
  const auto step = core::parse_number(words.back());
  const bool is_known = words.front() == known.front();
  if (words.size() == 2 && is_known && step.value_or(0) != 0) return *step;
  return std::unexpected(
      Error{ErrorKind::unsupported,
            fmt::format("found \"{}\", expected \"every N\", where N is greater than 0{}",
                        fmt::join(words, " "), is_known ? "" : core::suggest_word(known, words.front()))});
}

/// The name of the argument that corresponds to an option of the library, such as `ID` for `id`.
std::string name_argument(std::string_view option) {
  std::string name(option);
  for (char& letter : name) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return name;
}

/// The files named by the FILE and LATER arguments. One of these arguments may name several files.
std::vector<std::string> list_files(const Values& values) {
  std::vector<std::string> files;
  for (const std::string_view name : {"FILE", "LATER"}) {
    if (!values.has(name)) continue;
    const Value& value = values.value(name);
    if (const auto* file = std::get_if<std::string>(&value)) files.push_back(*file);
    if (const auto* several = std::get_if<std::vector<std::string>>(&value))
      files.insert(files.end(), several->begin(), several->end());
  }
  return files;
}

/// Adds the dumps to the question and returns the exit status. If a dump cannot be added, prints why.
int add_dumps(const Values& values, const std::vector<std::string>& files, const std::string& output,
              Question& question) {
  const auto add = [&](const std::string& path, Dump& dump, const Report& report) -> Result<void> {
    const auto count = question.add(path, std::move(dump));
    if (!count) return std::unexpected(count.error());
    if (*count == 0 && find_error(report) != nullptr)
      return std::unexpected(Error{ErrorKind::damaged, "no snapshot is intact"});
    return {};  // the answer says what is in a dump without snapshots
  };
  return visit_dumps(values, files, output, add);
}

/// The exit status for an answer with these conditions.
int find_status(const std::vector<CheckedCondition>& conditions) {
  using Outcome = CheckedCondition::Outcome;
  const auto has = [&](Outcome outcome) {
    return std::ranges::find(conditions, outcome, &CheckedCondition::outcome) != conditions.end();
  };
  if (has(Outcome::violated)) return findings;
  return has(Outcome::undecided) ? undecided : sound;
}

/// Adds the report in Markdown to the file for --summary. If that fails, prints why and returns false.
bool write_summary(const std::string& path, const Answer& answer) {
  return path.empty() || write_output(path, write_answer(answer, AnswerForm::markdown), Output::Mode::append);
}

/// Writes the answer, any violated conditions and the summary, and returns the exit status.
int print_answer(const Values& values, const Answer& answer) {
  const AnswerForm form = find_answer_form(values);
  if (!write_output("", write_answer(answer, form))) return usage;
  print_remarks(answer.remarks, form);
  if (!write_summary(find_summary_file(values), answer)) return usage;
  return find_status(answer.conditions);
}

}  // namespace

std::expected<Dump, int> open_to_ask(const Values& values, const std::string& path, const std::string& output,
                                     Progress& progress) {
  const Reading reading = make_reading(values);
  if (!prepare(reading, {path}, output)) return std::unexpected(usage);
  auto opened = open_checked(values, reading.limits, path, progress);
  if (!opened) return std::unexpected(opened.error());
  const bool is_intact = opened->dump.last_snapshot(values.get<bool>("force")).has_value();
  if (const int status = conclude_force(path, opened->report, is_intact); status != sound)
    return std::unexpected(status);
  return std::move(opened->dump);
}

void print_remarks(const std::vector<Remark>& remarks, AnswerForm form) {
  for (const Remark& remark : remarks) {
    if (remark.kind == Remark::Kind::reason && form == AnswerForm::text) continue;
    if (remark.kind == Remark::Kind::violation)
      print_error(remark.text);
    else
      print_note(fmt::format("heapcheck: {}\n", remark.text));
  }
}

int visit_dumps(const Values& values, const std::vector<std::string>& paths, const std::string& output,
                const VisitDump& visit) {
  const Reading reading = make_reading(values);
  const std::string summary = find_summary_file(values);
  if (!check_summary(values, summary, paths) || !prepare(reading, paths, output, summary)) return usage;
  for (const std::string& path : paths) {
    Progress progress(count_bytes(path).value_or(0), reading.shows_progress);
    auto opened = open_checked(values, reading.limits, path, progress);
    if (!opened) return opened.error();
    const auto visited = visit(path, opened->dump, opened->report);
    const bool is_intact = visited || status_of(visited.error().kind) != unreadable;
    if (visited || !is_intact) {
      if (const int status = conclude_force(path, opened->report, is_intact); status != sound) return status;
    }
    if (!visited) return fail(path, visited.error());
  }
  return sound;
}

Result<OptionValues> make_question_options(std::string_view question, const Values& values) {
  OptionValues options;
  for (const std::string_view name : options_of(question)) {
    const std::string argument = name_argument(name);
    if (values.has(name)) options.emplace(name, values.value(name));
    if (values.has(argument)) options.emplace(name, values.value(argument));
  }
  const std::size_t most = most_rows(values);
  options["limit"] = std::uint64_t{most == SIZE_MAX ? 0 : most};
  if (values.has("EVERY")) {  // the command line takes two words, and the library takes a number
    const auto step = parse_step(values.get<std::vector<std::string>>("EVERY"));
    if (!step) return std::unexpected(step.error());
    options["every"] = *step;
  }
  return options;
}

AnswerForm find_answer_form(const Values& values) {
  constexpr std::pair<std::string_view, AnswerForm> forms[] = {
      {"text", AnswerForm::text},         {"json", AnswerForm::json},     {"ndjson", AnswerForm::ndjson},
      {"csv", AnswerForm::csv},           {"sarif", AnswerForm::sarif},   {"junit", AnswerForm::junit},
      {"markdown", AnswerForm::markdown}, {"github", AnswerForm::github}, {"gitlab", AnswerForm::gitlab}};
  const auto name = values.get<std::string>("output");
  const auto form = std::ranges::find(forms, name, &std::pair<std::string_view, AnswerForm>::first);
  return form == std::end(forms) ? AnswerForm::text : form->second;
}

int run_question(std::string_view name, const Values& values) {
  const auto options = make_question_options(name, values);
  if (options) return ask_library(name, values, *options, "", [](const Answer&) { return true; });
  print_error(options.error().message);
  return status_of(options.error().kind);
}

int ask_library(std::string_view name, const Values& values, const OptionValues& options,
                const std::string& output, const std::function<bool(const Answer&)>& use) {
  const auto files = list_files(values);
  auto question = Question::make(name, options, files.size());
  if (!question) {
    print_error(question.error().message);
    return status_of(question.error().kind);
  }
  if (const int status = add_dumps(values, files, output, *question); status != sound) return status;
  const auto answer = question->finish();
  if (answer) return use(*answer) ? print_answer(values, *answer) : usage;
  print_error(answer.error().message);
  return status_of(answer.error().kind);
}

std::size_t most_rows(const Values& values) {
  constexpr std::uint64_t most_in_text = 20;
  if (!values.has("limit")) return SIZE_MAX;
  const bool is_text = values.get<std::string>("output") == "text";
  const std::uint64_t most = values.find<std::uint64_t>("limit").value_or(is_text ? most_in_text : 0);
  return most == 0 ? SIZE_MAX : static_cast<std::size_t>(most);
}

}  // namespace heapcheck::cli
