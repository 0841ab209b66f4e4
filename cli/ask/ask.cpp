#include "cli/ask/ask.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/system/limits.hpp"
#include "cli/system/sandbox.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

int fail(const std::string& path, const Error& error) {
  print_file_error(path, error.message);
  return status_of(error.kind);
}

const Finding* find_first(const Report& report, bool (*fits)(const Rule& rule)) {
  const auto found =
      std::ranges::find_if(report.findings, [fits](const Finding& finding) { return fits(*finding.rule); });
  return found == report.findings.end() ? nullptr : &*found;
}

const Finding* find_error(const Report& report) {
  return find_first(report, [](const Rule& rule) { return rule.severity == Severity::error; });
}

std::string describe_limit(const Report& report) {
  const Finding* const limit =
      find_first(report, [](const Rule& rule) { return rule.stage == Stage::limit; });
  if (limit == nullptr && report.error.empty())
    return "undecided: a limit was reached, so there is no answer";
  if (limit == nullptr) return "undecided: " + report.error;
  return fmt::format("undecided: a limit was reached at {:#x}: {}", limit->location.file.offset,
                     limit->message);
}

/// Returns whether questions may be asked, and if not, prints why.
int check(const Values& values, const std::string& path, const Report& report) {
  const Finding* const error = find_error(report);
  if (report.count_limits() != 0 || report.verdict == Verdict::undecided) {
    print_file_error(path, describe_limit(report));
    return undecided;
  }
  if (!report.error.empty()) {
    print_file_error(path, report.error);
    return status_of(ErrorKind::unreadable);
  }
  if (error == nullptr) return sound;
  const bool is_forced = values.get<bool>("force");
  print_file_error(path, fmt::format("is damaged at {:#x}: {}{}", error->location.file.offset, error->message,
                                     is_forced ? "; the answer is about the intact parts"
                                               : "; --force answers about the intact parts"));
  return is_forced ? sound : findings;
}

using Visit = std::function<Result<void>(const Snapshot&)>;

/// Calls `visit` with the snapshots of `which`, without those that are damaged if `is_forced`. Returns how
/// many there are.
Result<std::uint64_t> visit_which(const Dump& dump, Which which, bool is_forced, const Visit& visit) {
  std::optional<Snapshot> last;
  std::uint64_t count = 0;
  bool is_visited = false;
  for (const Snapshot& snapshot : dump.snapshots()) {
    if (!snapshot.is_whole() && is_forced) continue;
    ++count;
    last = snapshot;
    is_visited = which == Which::all || (which == Which::first_and_last && count == 1);
    if (!is_visited) continue;
    if (auto visited = visit(snapshot); !visited) return std::unexpected(visited.error());
  }
  if (last && !is_visited) {
    if (auto visited = visit(*last); !visited) return std::unexpected(visited.error());
  }
  return count;
}

/// Calls `visit` with the last snapshot that has memory. Returns how many snapshots that is.
Result<std::uint64_t> visit_last(const Dump& dump, bool is_forced, const Visit& visit) {
  const auto last = dump.last_snapshot(is_forced);
  if (!last) return 0;
  if (auto visited = visit(*last); !visited) return std::unexpected(visited.error());
  return 1;
}

/// Calls `visit` with the snapshots that are asked about. Returns how many there are.
Result<std::uint64_t> visit_snapshots(const Dump& dump, const Wanted& wanted, bool is_forced,
                                      const Visit& visit) {
  if (wanted.snapshots.empty() && wanted.which == Which::last) return visit_last(dump, is_forced, visit);
  if (wanted.snapshots.empty()) return visit_which(dump, wanted.which, is_forced, visit);
  for (const std::uint64_t index : wanted.snapshots) {
    const auto snapshot = dump.snapshot(index);
    if (!snapshot) return std::unexpected(snapshot.error());
    if (auto visited = visit(*snapshot); !visited) return std::unexpected(visited.error());
  }
  return wanted.snapshots.size();
}

int write(const Values& values, const Answer& answer) {
  const std::string text =
      write_answer(take_rows(answer, 0, most_rows(values)), values.get<std::string>("output"));
  return write_output("", text) ? sound : usage;
}

/// A dump that questions may be asked about.
struct Opened {
  Dump dump;
  Report report;

  [[nodiscard]] bool is_damaged() const { return find_error(report) != nullptr; }
};

/// Opens and checks a dump. Otherwise, prints why there are no answers and returns the exit status.
std::expected<Opened, int> open_checked(const Values& values, const std::string& path, Progress& progress) {
  auto dump = open(path, {.limits = make_limits(values), .on_read = progress.counter()});
  if (!dump) return std::unexpected(fail(path, dump.error()));
  Report report = validate(*dump);
  if (const int status = check(values, path, report); status != sound) return std::unexpected(status);
  return Opened{std::move(*dump), std::move(report)};
}

/// Enforces the limits and enters the sandbox, in which `output` can be written. Returns false, after saying
/// why, if a file cannot be read.
bool prepare(const Values& values, const std::vector<std::string>& paths, const std::string& output = {}) {
  if (std::ranges::count(paths, "-") > 1) {
    print_error("found - more than once, but standard input can be read only once");
    return false;
  }
  if (std::ranges::any_of(paths, complain_if_standard_output)) return false;
  const Limits limits = make_limits(values);
  enforce_memory(limits);
  enforce_deadline(limits);
  if (values.get<std::string>("sandbox") == "on")
    enter_sandbox({.inputs = paths, .output = output, .needs_temporary = true});
  return true;
}

using VisitSnapshot = std::function<Result<void>(const AskedSnapshot&)>;

/// Opens and checks a dump, and calls `visit` with the snapshots that are asked about.
int visit_dump(const Values& values, const Wanted& wanted, const VisitSnapshot& visit) {
  const std::string& path = wanted.file;
  Progress progress(count_bytes(path).value_or(0), !values.get<bool>("no-progress"));
  const auto opened = open_checked(values, path, progress);
  if (!opened) return opened.error();
  const Dump& dump = opened->dump;
  const auto visit_snapshot = [&](const Snapshot& snapshot) {
    return visit({path, dump.format(), snapshot});
  };
  const auto count = visit_snapshots(dump, wanted, values.get<bool>("force"), visit_snapshot);
  if (!count) return fail(path, count.error());
  if (*count != 0) return sound;
  print_file_error(path, opened->is_damaged()
                             ? "no snapshot is intact; `heapcheck recover` may keep parts of it"
                             : "has no snapshot");
  return opened->is_damaged() ? findings : usage;
}

/// The same for several files.
int visit_files(const Values& values, const std::vector<Wanted>& files, const VisitSnapshot& visit) {
  std::vector<std::string> paths;
  for (const Wanted& wanted : files) paths.push_back(wanted.file);
  if (!prepare(values, paths)) return usage;
  for (const Wanted& wanted : files) {
    if (const int status = visit_dump(values, wanted, visit); status != sound) return status;
  }
  return sound;
}

/// Answers about the snapshot that --snapshot names, by default the last one with memory.
int ask_last(const Values& values, const std::function<Result<Answer>(const AskedSnapshot&)>& answer) {
  Result<Answer> made = Answer{};
  const int status = visit_files(values, {find_wanted(values, Which::last)},
                                 [&](const AskedSnapshot& asked) -> Result<void> {
                                   made = answer(asked);
                                   if (!made) return std::unexpected(made.error());
                                   return {};
                                 });
  return status == sound ? write(values, *made) : status;
}

}  // namespace

Result<void> check_comparable(const std::string& first_file, Format first, Format later) {
  if (family_of(later) == family_of(first)) return {};
  return std::unexpected(
      Error{ErrorKind::unsupported, fmt::format("found a {}, expected a {}, as {} is", title_of(later),
                                                title_of(first), show_path(first_file))});
}

std::expected<Dump, int> open_to_ask(const Values& values, const std::string& path, const std::string& output,
                                     Progress& progress) {
  if (!prepare(values, {path}, output)) return std::unexpected(usage);
  auto opened = open_checked(values, path, progress);
  if (!opened) return std::unexpected(opened.error());
  return std::move(opened->dump);
}

int visit_dumps(const Values& values, const std::vector<std::string>& paths, const std::string& output,
                const VisitDump& visit) {
  if (!prepare(values, paths, output)) return usage;
  for (const std::string& path : paths) {
    const bool is_quiet = values.get<bool>("quiet") || values.get<bool>("no-progress");
    Progress progress(count_bytes(path).value_or(0), !is_quiet);
    const auto opened = open_checked(values, path, progress);
    if (!opened) return opened.error();
    if (auto visited = visit(path, opened->dump, opened->report); !visited)
      return fail(path, visited.error());
  }
  return sound;
}

Result<Asked> make_asked(const AskedSnapshot& asked) {
  if (family_of(asked.format) == Family::trace)
    return std::unexpected(
        Error{ErrorKind::unsupported,
              "a Chrome heap dump has no object graph; summary, top, tree, diff and growth "
              "answer questions about its stacks"});
  auto graph = asked.snapshot.graph();
  if (!graph) return std::unexpected(graph.error());
  return Asked{asked.file, asked.format, asked.snapshot.index(), Heap(std::move(*graph))};
}

int ask(const Values& values, const std::function<Result<Answer>(const Asked&)>& answer) {
  return ask_last(values, [&](const AskedSnapshot& snapshot) -> Result<Answer> {
    const auto asked = make_asked(snapshot);
    if (!asked) return std::unexpected(asked.error());
    return answer(*asked);
  });
}

int ask_snapshot(const Values& values, Result<Answer> (*answer)(const Values&, const AskedSnapshot&)) {
  return ask_last(values, [&](const AskedSnapshot& asked) { return answer(values, asked); });
}

int ask(const Values& values, Result<Answer> (*answer)(const Values&, const Asked&)) {
  return ask(values, [&](const Asked& asked) { return answer(values, asked); });
}

int ask_files(const Values& values, const std::vector<Wanted>& files,
              const std::function<Result<void>(const Asked&)>& visit, const std::function<Answer()>& answer) {
  const auto visit_snapshot = [&](const AskedSnapshot& snapshot) -> Result<void> {
    const auto asked = make_asked(snapshot);
    if (!asked) return std::unexpected(asked.error());
    return visit(*asked);
  };
  return ask_snapshots(values, files, visit_snapshot, answer);
}

int ask_snapshots(const Values& values, const std::vector<Wanted>& files,
                  const std::function<Result<void>(const AskedSnapshot&)>& visit,
                  const std::function<Answer()>& answer) {
  const int status = visit_files(values, files, visit);
  return status == sound ? write(values, answer()) : status;
}

Wanted find_wanted(const Values& values, Which which) {
  Wanted wanted{.file = values.get<std::string>("FILE"), .which = which};
  if (const auto index = values.find<std::uint64_t>("snapshot")) wanted.snapshots = {*index};
  return wanted;
}

std::vector<std::pair<std::string_view, Cell>> make_facts(const Asked& asked) {
  return {{"snapshot", asked.snapshot}};
}

std::size_t most_rows(const Values& values) {
  constexpr std::uint64_t most_in_text = 20;
  if (!values.has("limit")) return SIZE_MAX;
  const bool is_text = values.get<std::string>("output") == "text";
  const std::uint64_t most = values.find<std::uint64_t>("limit").value_or(is_text ? most_in_text : 0);
  return most == 0 ? SIZE_MAX : static_cast<std::size_t>(most);
}

}  // namespace heapcheck::cli
