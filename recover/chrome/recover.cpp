#include "recover/chrome/recover.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "formats/core/finding_sink.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/open.hpp"
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

/// The key is the index of the event among the kept events.
using EventErrors = std::map<std::uint64_t, EventError>;

/// The event that a finding concerns, from a path such as `/traceEvents/17/args` or `/17/args`.
std::optional<std::uint64_t> find_event(std::string_view path) {
  constexpr std::string_view member = "/traceEvents";
  if (path.starts_with(member)) path.remove_prefix(member.size());
  if (!path.starts_with('/')) return std::nullopt;
  std::uint64_t event = 0;
  const auto [end, code] = std::from_chars(path.data() + 1, path.data() + path.size(), event);
  return code == std::errc() ? std::optional(event) : std::nullopt;
}

/// The events that must be left out because of a finding. If the names do not match most dumps, these dumps
/// are left out.
std::set<std::uint64_t> find_events(const Finding& finding) {
  std::set<std::uint64_t> events;
  const auto add = [&events](const Location& location) {
    if (const auto event = find_event(location.path)) events.insert(*event);
  };
  if (finding.rule != &validation::chrome::legacy::rules::names_other_process) {
    add(finding.location);
  } else {
    for (const Related& dump : finding.related) add(dump.location);
  }
  return events;
}

/// Collects the first error of each event.
class EventErrorSink final : public core::FindingSink {
 public:
  void report(Finding finding) override {
    if (finding.rule->severity != Severity::error) return;
    const auto events = find_events(finding);
    const bool is_limit = finding.rule->stage == Stage::limit;
    if (is_limit || events.empty())
      obstacle_ = Error{is_limit ? ErrorKind::limit : ErrorKind::damaged, finding.message};
    for (const std::uint64_t event : events)
      errors_.try_emplace(event, EventError{finding.rule, finding.message});
  }
  void skip(Skip) override {}
  void report_more(const Rule&, std::uint64_t) override {}
  /// One finding per rule is enough for an event, and the reader never keeps more findings for an event than
  /// are wanted.
  [[nodiscard]] std::uint64_t wanted(const Rule& rule) const override {
    return rule.severity == Severity::error ? 1 : 0;
  }

  /// An error that cannot be resolved by leaving out events.
  [[nodiscard]] const std::optional<Error>& obstacle() const { return obstacle_; }
  [[nodiscard]] EventErrors take() { return std::move(errors_); }

 private:
  EventErrors errors_;
  std::optional<Error> obstacle_;
};

/// The kept events after they have been read and checked.
struct Checked {
  formats::Trace trace;
  EventErrors errors;
};

/// Opens the trace once more.
Result<core::Input> reopen(core::SeekableSource& source, const Limits& limits) {
  return formats::unwrap(std::make_unique<core::RangeSource>(source, 0), limits);
}

Result<IntactParts> find_parts(core::SeekableSource& source, const Limits& limits,
                               const LeftOutEvents& unwanted, bool is_nested) {
  auto input = reopen(source, limits);
  if (!input) return std::unexpected(std::move(input.error()));
  core::Window window(*input->source);
  auto parts = find_intact_parts(window, limits, unwanted, is_nested);
  // Damaged compression ends the trace. After any other error, such as a read error, the rest may be intact.
  if (window.error() && window.error()->kind != ErrorKind::damaged) return std::unexpected(*window.error());
  return parts;
}

/// Only looks for events inside other members if the trace object itself has no events.
Result<IntactParts> find_parts(core::SeekableSource& source, const Limits& limits,
                               const LeftOutEvents& unwanted) {
  auto parts = find_parts(source, limits, unwanted, false);
  const bool has_none = parts && parts->kept_events == 0 && parts->left_out.empty();
  return has_none ? find_parts(source, limits, unwanted, true) : std::move(parts);
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

/// An event that contains a heap dump or names.
struct PayloadEvent {
  std::int64_t pid = 0;
  std::string_view dump_id = {};  ///< borrowed from the trace
  bool has_names = false;         ///< whether it has names and no heap dump
  bool has_legacy_heaps = false;
};

/// The key is the index of the event.
using PayloadEvents = std::map<std::uint64_t, PayloadEvent>;

void add_names(const legacy::Process& process, const legacy::Names& names, PayloadEvents& events) {
  for (const legacy::Source& source : names.events) {
    if (const auto event = find_event(source.place.path))
      events.try_emplace(*event, PayloadEvent{.pid = process.pid, .has_names = true});
  }
}

PayloadEvents find_payloads(const formats::Trace& trace) {
  PayloadEvents events;
  for (const legacy::Process& process : trace.legacy.processes) {
    for (const legacy::Dump& dump : process.dumps)
      events[dump.head.index] = {.pid = process.pid, .dump_id = dump.head.id, .has_legacy_heaps = true};
    add_names(process, process.frames, events);
    add_names(process, process.types, events);
  }
  for (const heaps_v2::Dump& dump : trace.heaps_v2.dumps)
    events.try_emplace(dump.head.index,
                       PayloadEvent{.pid = dump.head.pid.value_or(0), .dump_id = dump.head.id});
  return events;
}

std::uint64_t count_dumps(const PayloadEvents& payloads) {
  std::uint64_t count = 0;
  for (const auto& [event, payload] : payloads) count += payload.has_names ? 0U : 1U;
  return count;
}

/// Whether an error in one heap dump is an error in all legacy heap dumps of its process.
bool is_shared(const EventError& error) {
  namespace rules = validation::chrome::legacy::rules;
  return error.rule == &rules::frames_missing || error.rule == &rules::types_missing;
}

/// Adds the errors that concern all legacy heap dumps of a process to each of them.
void share(const PayloadEvents& payloads, EventErrors& errors) {
  std::map<std::int64_t, EventError> by_process;
  for (const auto& [event, error] : errors) {
    const auto payload = payloads.find(event);
    if (payload != payloads.end() && is_shared(error)) by_process.emplace(payload->second.pid, error);
  }
  for (const auto& [event, payload] : payloads) {
    const auto error = by_process.find(payload.pid);
    if (payload.has_legacy_heaps && error != by_process.end()) errors.try_emplace(event, error->second);
  }
}

/// If any heap dump or names of a process have an error, adds an error to all heap dumps and names of that
/// process.
void spread(const PayloadEvents& payloads, EventErrors& errors) {
  std::set<std::int64_t> processes;
  for (const auto& [event, error] : errors) {
    const auto payload = payloads.find(event);
    if (payload != payloads.end()) processes.insert(payload->second.pid);
  }
  for (const auto& [event, payload] : payloads) {
    if (processes.contains(payload.pid))
      errors.try_emplace(event, EventError{.message = "it may depend on other events that are left out"});
  }
}

std::string describe(const PayloadEvent& dump, std::uint64_t event) {
  return fmt::format("heap dump {} of process {}, event {}", core::make_excerpt(dump.dump_id), dump.pid,
                     event);
}

/// Adds the events with errors to `unwanted`, using their index in the whole trace.
void add(const EventErrors& errors, const PayloadEvents& payloads, const IntactParts& parts,
         LeftOutEvents& unwanted) {
  auto next = parts.left_out.begin();
  std::uint64_t gone_before = 0;
  for (const auto& [event, error] : errors) {
    for (; next != parts.left_out.end() && *next <= event + gone_before; ++next) ++gone_before;
    const std::uint64_t index = event + gone_before;
    const auto payload = payloads.find(event);
    const bool has_heaps = payload != payloads.end() && !payload->second.has_names;
    unwanted.emplace(
        index, LeftOut{.what = has_heaps ? describe(payload->second, index) : fmt::format("event {}", index),
                       .reason = error.message,
                       .has_heaps = has_heaps});
  }
}

/// Describes the recovery; `unwanted` are well-formed events that were left out.
Recovery make_recovery(const formats::Trace& trace, IntactParts& parts, LeftOutEvents& unwanted) {
  Recovery recovery{.format = trace.format(),
                    .kept_events = trace.container.is_foreign ? 0 : parts.kept_events,
                    .kept_dumps = count_dumps(find_payloads(trace)),
                    .dropped_events = parts.left_out.size(),
                    .dropped_members = parts.lost_members.size(),
                    .dropped_bytes = parts.lost_bytes,
                    .is_cut = parts.is_cut,
                    .punctuation_changes = parts.punctuation_changes,
                    .events = {},
                    .members = std::move(parts.lost_members),
                    .lack = trace.describe_lack()};
  for (const auto& [event, left_out] : unwanted) recovery.dropped_dumps += left_out.has_heaps ? 1U : 0U;
  unwanted.merge(parts.damaged);
  recovery.events = std::move(unwanted);
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
    // The remaining events may depend on those that were left out, so they are checked again. Each round
    // leaves out at least one more event, and later rounds leave out all events of a process, so only a few
    // rounds are needed.
    if (!checked->errors.empty()) {
      const PayloadEvents payloads = find_payloads(checked->trace);
      share(payloads, checked->errors);
      if (round >= exact_rounds) spread(payloads, checked->errors);
      add(checked->errors, payloads, *parts, unwanted);
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
