#include "recover/chrome/recover.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "formats/core/excerpt.hpp"
#include "formats/core/finding_sink.hpp"
#include "recover/chrome/intact_parts.hpp"
#include "validate/chrome/check.hpp"
#include "validate/chrome/legacy/rules.hpp"

namespace heapcheck::recovery::chrome {
namespace {

namespace legacy = heapcheck::chrome::legacy;
namespace heaps_v2 = heapcheck::chrome::heaps_v2;

/// The first error in an event.
struct EventError {
  const Rule* rule = nullptr;
  std::string message;
};

/// By the index of the event among the kept ones.
using EventErrors = std::map<std::uint64_t, EventError>;

/// The event that a finding is about: `/traceEvents/17/args` or `/17/args`.
std::optional<std::uint64_t> find_event(std::string_view path) {
  constexpr std::string_view member = "/traceEvents";
  if (path.starts_with(member)) path.remove_prefix(member.size());
  if (!path.starts_with('/')) return std::nullopt;
  std::uint64_t event = 0;
  const auto [end, code] = std::from_chars(path.data() + 1, path.data() + path.size(), event);
  return code == std::errc() ? std::optional(event) : std::nullopt;
}

/// Collects the first error of each event.
class EventErrorSink final : public core::FindingSink {
 public:
  void report(Finding finding) override {
    if (finding.rule->severity != Severity::error) return;
    const auto event = find_event(finding.location.path);
    const bool is_limit = finding.rule->stage == Stage::limit;
    if (is_limit || !event) {
      obstacle_ = Error{is_limit ? ErrorKind::limit : ErrorKind::damaged, std::move(finding.message)};
    } else {
      errors_.try_emplace(*event, EventError{finding.rule, std::move(finding.message)});
    }
  }
  void skip(Skip) override {}
  void report_more(const Rule&, std::uint64_t) override {}
  /// One finding of a rule is enough for an event, and the reader never keeps more than it wants for an
  /// event.
  [[nodiscard]] std::uint64_t wanted(const Rule& rule) const override {
    return rule.severity == Severity::error ? 1 : 0;
  }

  /// An error that leaving out events does not resolve.
  [[nodiscard]] const std::optional<Error>& obstacle() const { return obstacle_; }
  [[nodiscard]] EventErrors take() { return std::move(errors_); }

 private:
  EventErrors errors_;
  std::optional<Error> obstacle_;
};

/// The kept events, read and checked.
struct Checked {
  formats::Trace trace;
  EventErrors errors;
};

/// Opens the trace once more.
Result<core::Input> reopen(core::SeekableSource& source, const Limits& limits) {
  return core::unwrap(std::make_unique<core::RangeSource>(source, 0), limits);
}

Result<IntactParts> find_parts(core::SeekableSource& source, const Limits& limits,
                               const LeftOutEvents& unwanted) {
  auto input = reopen(source, limits);
  if (!input) return std::unexpected(std::move(input.error()));
  core::Window window(*input->source);
  return find_intact_parts(window, limits, unwanted);
}

Result<Checked> check_parts(core::SeekableSource& source, const Limits& limits, const IntactParts& parts) {
  auto input = reopen(source, limits);
  if (!input) return std::unexpected(std::move(input.error()));
  PieceSource text(*input->source, parts.pieces);
  core::Window window(text);
  EventErrorSink sink;
  Checked checked{.trace = validation::chrome::check(window, limits, sink), .errors = {}};
  if (window.error()) return std::unexpected(*window.error());
  if (sink.obstacle()) return std::unexpected(*sink.obstacle());
  checked.errors = sink.take();
  return checked;
}

Result<void> write_parts(core::SeekableSource& source, const Limits& limits, const IntactParts& parts,
                         core::ByteSink& out) {
  auto input = reopen(source, limits);
  if (!input) return std::unexpected(std::move(input.error()));
  PieceSource text(*input->source, parts.pieces);
  core::Window window(text);
  for (auto bytes = window.peek(1); !bytes.empty(); bytes = window.peek(1)) {
    if (auto wrote = out.write(bytes); !wrote) return wrote;
    window.consume(bytes.size());
  }
  if (window.error()) return std::unexpected(*window.error());
  return {};
}

/// The heads of all heap dumps, by the index of the event.
std::map<std::uint64_t, const heapcheck::chrome::EventHead*> find_dumps(const formats::Trace& trace) {
  std::map<std::uint64_t, const heapcheck::chrome::EventHead*> heads;
  for (const legacy::Process& process : trace.legacy.processes) {
    for (const legacy::Dump& dump : process.dumps) heads.emplace(dump.head.index, &dump.head);
  }
  for (const heaps_v2::Dump& dump : trace.heaps_v2.dumps) heads.emplace(dump.head.index, &dump.head);
  return heads;
}

/// Whether the error of one heap dump is an error of all heap dumps of its process.
bool is_shared(const EventError& error) {
  namespace rules = validation::chrome::legacy::rules;
  return error.rule == &rules::frames_missing || error.rule == &rules::types_missing;
}

/// Extends errors in heap dumps to all heap dumps of the process: those that concern all of them or, with
/// `spreads_all`, every error.
void spread(const formats::Trace& trace, bool spreads_all, EventErrors& errors) {
  const auto heads = find_dumps(trace);
  std::map<std::int64_t, EventError> by_process;
  for (const auto& [event, error] : errors) {
    const auto dump = heads.find(event);
    if (dump == heads.end() || (!spreads_all && !is_shared(error))) continue;
    EventError all = error;
    if (!is_shared(error))
      all.message = "it may depend on another heap dump of the process: " + error.message;
    by_process.emplace(dump->second->pid.value_or(0), std::move(all));
  }
  for (const auto& [event, head] : heads) {
    const auto error = by_process.find(head->pid.value_or(0));
    if (error != by_process.end()) errors.try_emplace(event, error->second);
  }
}

std::string describe(const heapcheck::chrome::EventHead& head) {
  return fmt::format("heap dump {} of process {}", core::make_excerpt(head.id), head.pid.value_or(0));
}

/// Adds the events with errors to `unwanted`, by their index in the whole trace.
void add(const Checked& checked, const IntactParts& parts, LeftOutEvents& unwanted) {
  const auto heads = find_dumps(checked.trace);
  LeftOutEvents gone = unwanted;
  gone.insert(parts.left_out.begin(), parts.left_out.end());
  auto next = gone.begin();
  std::uint64_t gone_before = 0;
  for (const auto& [event, error] : checked.errors) {
    for (; next != gone.end() && next->first <= event + gone_before; ++next) ++gone_before;
    const std::uint64_t index = event + gone_before;
    const auto dump = heads.find(event);
    const bool has_heaps = dump != heads.end();
    unwanted.emplace(index,
                     LeftOut{.what = has_heaps ? describe(*dump->second) : fmt::format("event {}", index),
                             .reason = error.message,
                             .has_heaps = has_heaps});
  }
}

/// Describes the recovery; `unwanted` are well-formed events that were left out.
Recovery make_recovery(const formats::Trace& trace, IntactParts& parts, LeftOutEvents& unwanted) {
  Recovery recovery{.format = trace.format(),
                    .kept_events = trace.container.is_foreign ? 0 : parts.kept_events,
                    .kept_dumps = find_dumps(trace).size(),
                    .dropped_members = parts.lost_members.size(),
                    .dropped_bytes = parts.lost_bytes,
                    .punctuation_changes = parts.punctuation_changes,
                    .reasons = {}};
  unwanted.merge(parts.left_out);
  recovery.dropped_events = unwanted.size();
  for (const auto& [event, left_out] : unwanted) {
    recovery.dropped_dumps += left_out.has_heaps ? 1U : 0U;
    recovery.reasons.push_back(fmt::format("{}: {}", left_out.what, left_out.reason));
  }
  recovery.reasons.insert(recovery.reasons.end(), parts.lost_members.begin(), parts.lost_members.end());
  return recovery;
}

}  // namespace

Result<Recovery> recover(core::SeekableSource& source, const Limits& limits, core::ByteSink& out) {
  constexpr unsigned exact_rounds = 8;
  LeftOutEvents unwanted;
  for (unsigned round = 0;; ++round) {
    auto parts = find_parts(source, limits, unwanted);
    if (!parts) return std::unexpected(std::move(parts.error()));
    auto checked = parts->kept_events == 0 ? Checked{} : check_parts(source, limits, *parts);
    if (!checked) return std::unexpected(std::move(checked.error()));
    if (!checked->errors.empty()) {
      spread(checked->trace, round >= exact_rounds, checked->errors);
      add(*checked, *parts, unwanted);
      continue;
    }
    Recovery recovery = make_recovery(checked->trace, *parts, unwanted);
    if (recovery.kept_events == 0 && recovery.has_lost()) return recovery;
    if (auto wrote = write_parts(source, limits, *parts, out); !wrote)
      return std::unexpected(std::move(wrote.error()));
    return recovery;
  }
}

}  // namespace heapcheck::recovery::chrome
