#include "heapcheck/ask.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "analyze/answers/question.hpp"
#include "analyze/answers/write.hpp"
#include "api/choose_process.hpp"
#include "api/guard.hpp"
#include "api/state.hpp"
#include "api/version.hpp"
#include "formats/core/stop.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck {
namespace {

namespace answers = analyze::answers;
using answers::Which;

using Visit = std::function<Result<void>(const Snapshot&)>;

/// Calls `visit` with the snapshots that `selection.which` names. Returns the number of snapshots considered.
Result<std::uint64_t> visit_which(const Dump& dump, const answers::Selection& selection,
                                  const api::ProcessChoice& choice, const Visit& visit) {
  const bool is_about_first = selection.which == Which::first_and_last;
  std::optional<Snapshot> last;
  std::uint64_t count = 0;
  bool is_visited = false;
  for (const Snapshot& snapshot : dump.snapshots()) {
    if ((!snapshot.is_whole() && selection.is_forced) || !choice.accepts(snapshot)) continue;
    ++count;
    last = snapshot;
    is_visited = !is_about_first || count == 1;
    if (!is_visited) continue;
    if (auto visited = visit(snapshot); !visited) return std::unexpected(visited.error());
  }
  if (last && !is_visited) {
    if (auto visited = visit(*last); !visited) return std::unexpected(visited.error());
  }
  return count;
}

/// Calls `visit` with the last snapshot or, if several processes are compared, with the last one of each.
/// Returns their number.
Result<std::uint64_t> visit_last(const Dump& dump, const answers::Selection& selection,
                                 const api::ProcessChoice& choice, const Visit& visit) {
  std::vector<Snapshot> snapshots;
  if (selection.compares_processes && family_of(dump.format()) == Family::trace)
    snapshots = choice.find_last_of_each(dump, selection.is_forced);
  else if (const auto last = choice.find_last(dump, selection.is_forced))
    snapshots.push_back(*last);
  for (const Snapshot& snapshot : snapshots) {
    if (auto visited = visit(snapshot); !visited) return std::unexpected(visited.error());
  }
  return snapshots.size();
}

/// Calls `visit` with the snapshots that the question concerns. Returns the number of snapshots considered.
Result<std::uint64_t> visit_snapshots(const Dump& dump, const answers::Selection& selection,
                                      const api::ProcessChoice& choice, const Visit& visit) {
  if (selection.listed.empty() && selection.which == Which::last)
    return visit_last(dump, selection, choice, visit);
  if (selection.listed.empty()) return visit_which(dump, selection, choice, visit);
  for (const std::uint64_t index : selection.listed) {
    const auto snapshot = dump.snapshot(index);
    if (!snapshot) return std::unexpected(snapshot.error());
    if (auto fits = choice.check(*snapshot); !fits) return std::unexpected(fits.error());
    if (auto visited = visit(*snapshot); !visited) return std::unexpected(visited.error());
  }
  return selection.listed.size();
}

/// A snapshot whose graph has been made already.
answers::Asked describe(const std::string& file, const LoadedHeap& heap) {
  const auto refuse_stacks = []() -> Result<AllocationProfile> {
    return std::unexpected(Error{ErrorKind::unsupported, "a loaded heap has no call stacks"});
  };
  return {.file = file,
          .format = heap.format,
          .snapshot = heap.snapshot,
          .recording = heap.recording,
          .heap = heap.heap.state(),
          .make_profile = refuse_stacks};
}

}  // namespace

StopScope::StopScope(std::function<bool()> is_stopped)
    : is_stopped_(
          [this, inner = std::move(is_stopped)] { return inner() || (outer_ != nullptr && (*outer_)()); }),
      outer_(std::exchange(core::stop_state.is_stopped, &is_stopped_)) {}

StopScope::~StopScope() { core::stop_state.is_stopped = outer_; }

struct Question::State {
  answers::Inquiry inquiry;
  bool has_snapshots = false;
  std::vector<std::pair<std::string, std::string>> lacks =
      {};  ///< dumps without snapshots, and their content

  /// Adds a dump that has no snapshot for the reason `lack`.
  Result<void> add_lack(const std::string& file, const Dump& dump, std::string lack) {
    auto added = inquiry.maker->add({.file = file, .format = dump.format(), .lack = lack});
    std::pair sentence(file, std::move(lack));
    // A dump that is compared with itself is described once.
    if (added && std::ranges::find(lacks, sentence) == lacks.end()) lacks.push_back(std::move(sentence));
    return added;
  }

  Result<Answer> finish() const {
    if (has_snapshots && !lacks.empty() && inquiry.selection.which != Which::all_of_several)
      return std::unexpected(Error{ErrorKind::unsupported,
                                   core::show_path(lacks[0].first).append(": ").append(lacks[0].second)});
    auto answer = inquiry.finish();
    if (!answer || lacks.empty()) return answer;
    std::string text;
    for (const auto& [file, lack] : lacks) {
      const std::string sentence = core::show_path(file).append(": ").append(lack);
      answer->remarks.push_back({has_snapshots ? Remark::Kind::note : Remark::Kind::reason, sentence});
      text.append(sentence).append("\n");
    }
    if (!has_snapshots) answer->text = std::move(text);
    return answer;
  }
};

Result<Question> Question::make(std::string_view name, const OptionValues& options, std::size_t dump_count) {
  return api::guard([&]() -> Result<Question> {
    auto inquiry = answers::begin(name, options, dump_count);
    if (!inquiry) return std::unexpected(std::move(inquiry.error()));
    Question question;
    question.state_ = std::make_shared<State>(std::move(*inquiry));
    return question;
  });
}

Result<std::uint64_t> Question::add(const std::string& file_name, const Dump& dump) {
  bool is_only_process = false;
  const auto visit = [&](const Snapshot& snapshot) {
    return state_->inquiry.maker->add({.file = file_name,
                                       .format = dump.format(),
                                       .snapshot = snapshot.index(),
                                       .limits = dump.state().options.limits,
                                       .process = snapshot.process(),
                                       .recording = snapshot.state().recording,
                                       .is_only_process = is_only_process,
                                       .make_graph = [snapshot] { return snapshot.graph(); },
                                       .make_profile = [snapshot] { return snapshot.profile(); }});
  };
  return api::guard([&]() -> Result<std::uint64_t> {
    const auto choice = api::ProcessChoice::make(dump, state_->inquiry.selection.process);
    if (!choice) return std::unexpected(choice.error());
    if (family_of(dump.format()) == Family::trace) is_only_process = choice->has_only_process(dump);
    auto count = visit_snapshots(dump, state_->inquiry.selection, *choice, visit);
    if (!count) return count;
    state_->has_snapshots = state_->has_snapshots || *count != 0;
    std::string lack = *count == 0 ? find_lack(dump) : std::string();
    if (lack.empty()) return count;
    if (auto added = state_->add_lack(file_name, dump, std::move(lack)); !added)
      return std::unexpected(added.error());
    return count;
  });
}

Result<std::uint64_t> Question::add(const std::string& file_name, Dump&& dump) {
  const Dump last = std::move(dump);
  last.state().gives_content_up = true;
  auto count = add(file_name, last);
  last.state().gives_content_up = false;
  return count;
}

Result<void> Question::add(const std::string& file_name, const LoadedHeap& heap) {
  return api::guard([&] {
    state_->has_snapshots = true;
    return state_->inquiry.maker->add(describe(file_name, heap));
  });
}

Result<Answer> Question::finish() {
  return api::guard([this] { return state_->finish(); });
}

Result<Answer> ask(const Dump& dump, std::string_view question, const OptionValues& options) {
  auto asked = Question::make(question, options);
  if (!asked) return std::unexpected(std::move(asked.error()));
  const auto count = asked->add(dump.state().path, dump);
  if (!count) return std::unexpected(count.error());
  return asked->finish();
}

Result<Answer> ask(const LoadedHeap& heap, std::string_view question, const OptionValues& options) {
  return api::guard([&] { return answers::ask(question, options, describe({}, heap)); });
}

std::vector<std::string_view> all_questions() {
  std::vector<std::string_view> names;
  for (const answers::Question& question : answers::all_questions()) names.push_back(question.name);
  return names;
}

std::vector<std::string_view> options_of(std::string_view question) {
  std::vector<std::string_view> names;
  const auto found = answers::find_question(question);
  if (!found) return names;
  for (const answers::OptionRule& rule : answers::options_of(**found)) names.push_back(rule.name);
  return names;
}

std::size_t count_rows(const Answer& answer) { return answers::count_rows(answer); }

Answer take_rows(const Answer& answer, std::size_t first, std::size_t most,
                 const std::function<bool()>& is_stopped) {
  return answers::take_rows(answer, first, most, is_stopped);
}

std::string write_answer(const Answer& answer, AnswerForm form) {
  return answers::write_answer(answer, form, api::version);
}

std::string to_json(const Answer& answer) { return write_answer(answer, AnswerForm::json); }

}  // namespace heapcheck
