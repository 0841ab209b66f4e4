#include "formats/chrome/event_walker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "formats/chrome/faults.hpp"
#include "formats/core/json/context.hpp"
#include "formats/core/json/faults.hpp"
#include "formats/core/source.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::chrome {
namespace {

using core::JsonToken;

/// The location of a payload, and the events in which it is meaningful.
struct PayloadInfo {
  Payload payload;
  std::string_view key;    ///< the key of the member that contains it
  bool in_dumps;           ///< whether it is in `args.dumps` rather than directly in `args`
  std::string_view phase;  ///< the phase of its event
  std::string_view name;   ///< the name of its event; empty if the event may have any name
};
constexpr std::array payloads{
    PayloadInfo{Payload::heaps, "heaps", true, "v", {}},
    PayloadInfo{Payload::heaps_v2, "heaps_v2", true, "v", {}},
    PayloadInfo{Payload::allocators, "allocators", true, "v", {}},
    PayloadInfo{Payload::stack_frames, "stackFrames", false, "M", "stackFrames"},
    PayloadInfo{Payload::type_names, "typeNames", false, "M", "typeNames"},
    PayloadInfo{Payload::heap_profile, "data", false, "P", "heap_profile"},
    PayloadInfo{Payload::process_name, "name", false, "M", "process_name"},
    PayloadInfo{Payload::process_mmaps, "process_mmaps", true, "v", {}},
    PayloadInfo{Payload::process_totals, "process_totals", true, "v", {}},
};

static_assert(std::ranges::all_of(payloads, [](const PayloadInfo& info) {
  return info.phase.size() == 1 && payload_phases.find(info.phase) != std::string_view::npos;
}));

constexpr std::array<std::string_view, 8> head_keys{"ph", "name", "cat", "id", "ts", "pid", "tid", "args"};

const PayloadInfo* find_payload(std::string_view key, bool in_dumps) {
  const auto found = std::ranges::find_if(
      payloads, [&](const PayloadInfo& info) { return info.in_dumps == in_dumps && info.key == key; });
  return found == payloads.end() ? nullptr : &*found;
}

/// Returns whether a payload is meaningful in an event with this head, or may still turn out to be meaningful
/// because the head does not have a phase or name yet.
bool fits(const PayloadInfo& info, const EventHead& head) {
  const bool phase_fits = head.phase.empty() || head.phase == info.phase;
  return phase_fits && (info.name.empty() || head.name.empty() || head.name == info.name);
}

bool belongs(Payload payload, const EventHead& head) {
  const auto info = std::ranges::find(payloads, payload, &PayloadInfo::payload);
  return !head.phase.empty() && (info->name.empty() || !head.name.empty()) && fits(*info, head);
}

bool is_heap(Payload payload) { return payload == Payload::heaps || payload == Payload::heaps_v2; }

void take_text(const core::JsonReader& json, std::string& text) {
  const bool is_text = json.token() == JsonToken::string || json.token() == JsonToken::number;
  text = is_text ? json.text() : std::string_view();
}

}  // namespace

EventWalker::EventWalker(core::JsonReader& json, const Limits& limits,
                         std::span<PayloadReader* const> readers, core::FindingSink& sink)
    : json_(&json),
      limits_(limits),
      readers_(readers.begin(), readers.end()),
      sink_(&sink),
      findings_(sink) {}

bool EventWalker::walk(std::uint64_t index, std::string path) {
  head_ = {};
  head_.index = index;
  path_ = std::move(path);
  members_.clear();
  dumps_string_.reset();
  seen_ = 0;
  reached_limit_ = false;
  const std::uint64_t offset = json_->span().offset;
  while (json_->next() == JsonToken::key) walk_member(json_->text());
  if (json_->token() == JsonToken::error) {
    forget();
    return false;
  }
  head_.span = {offset, json_->span().end() - offset};
  finish();
  return true;
}

void EventWalker::forget() {
  findings_.forget();
  for (PayloadReader* reader : readers_) reader->finish_event(head_, false, *sink_);
}

void EventWalker::walk_member(std::string_view key) {
  const auto known = std::ranges::find(head_keys, key);
  if (known == head_keys.end()) {
    json_->skip_value();
    return;
  }
  const unsigned bit = 1U << (known - head_keys.begin());
  // The last value is used, as in JavaScript.
  if ((seen_ & bit) != 0) {
    report_duplicate(*known);
  }
  seen_ |= bit;
  if (*known == "args") return walk_args();
  json_->next();
  if (*known == "pid") head_.pid = json_->as_signed();
  if (*known == "tid") head_.tid = json_->as_signed();
  const std::array texts{&head_.phase, &head_.name, &head_.category, &head_.id, &head_.timestamp};
  if (bit < 1U << texts.size())
    take_text(*json_, *texts[static_cast<std::size_t>(known - head_keys.begin())]);
  core::skip_nested(*json_);
}

void EventWalker::report_duplicate(std::string_view member) {
  core::report_or_count(findings_, {&core::rules::json_object_duplicate_key,
                                    {json_->span(), std::nullopt, fmt::format("{}/{}", path_, member)},
                                    fmt::format("the event has a second `{}`, expected one", member)});
}

void EventWalker::walk_args() {
  const JsonToken token = json_->next();
  if (token == JsonToken::array_begin) json_->skip_rest();
  if (token != JsonToken::object_begin) return;
  bool has_dumps = false;
  while (json_->next() == JsonToken::key) {
    if (json_->text() == "dumps") {
      if (has_dumps) report_duplicate("args/dumps");
      has_dumps = true;
      walk_dumps();
      continue;
    }
    const PayloadInfo* info = find_payload(json_->text(), false);
    // If the phase and the name came before the payload, they may already show that it is meaningless.
    if (info == nullptr || !fits(*info, head_)) {
      json_->skip_value();
      continue;
    }
    offer(info->payload, *json_, fmt::format("args/{}", info->key));
  }
}

void EventWalker::walk_dumps() {
  const JsonToken token = json_->next();
  if (token == JsonToken::object_begin) return walk_dumps_members(*json_);
  if (token == JsonToken::error) return;
  const Location location{json_->span(), std::nullopt, path_ + "/args/dumps"};
  if (token == JsonToken::string) {
    core::report_or_count(
        findings_, {&rules::dumps_json_string, location, "`args.dumps` is a string, expected an object"});
    return walk_dumps_text();
  }
  core::report_or_count(findings_,
                        {&rules::dumps_type, location,
                         fmt::format("`args.dumps` is {}, expected an object", core::describe_token(token))});
  if (token == JsonToken::array_begin) json_->skip_rest();
}

/// Reads `args.dumps` if it is a string that contains JSON.
void EventWalker::walk_dumps_text() {
  dumps_string_ = json_->span();
  const core::JsonPlace place{path_ + "/args/dumps", dumps_string_};
  // The text is kept until the end of the event, because the spans of its payloads refer to it.
  dumps_text_ = json_->text();
  core::MemorySource source(core::as_bytes(dumps_text_));
  core::Window window(source);
  core::JsonReader json(window, limits_, core::make_json_options(limits_));
  if (json.next() == JsonToken::object_begin) walk_dumps_members(json);
  if (json.token() == JsonToken::object_end && json.next() == JsonToken::end && json.skip_whitespace()) {
    core::report_or_count(
        findings_, {&core::rules::json_document_trailing, place.locate({window.offset(), 1}),
                    "found more text after the object in `args.dumps`, expected the end of the string"});
  } else if (json.token() == JsonToken::error) {
    const core::JsonError& error = *json.error();
    core::report_or_count(findings_,
                          {&core::rule_of(error.kind), place.locate(core::span_of(error)), error.message});
  } else if (json.token() != JsonToken::end) {
    core::report_or_count(findings_, {&rules::dumps_type, place.locate({0, dumps_text_.size()}),
                                      fmt::format("the JSON in `args.dumps` is {}, expected an object",
                                                  core::describe_token(json.token()))});
  }
}

void EventWalker::walk_dumps_members(core::JsonReader& json) {
  head_.has_dumps = true;
  while (json.next() == JsonToken::key) {
    if (json.text() == "level_of_detail") {
      json.next();
      take_text(json, head_.level_of_detail);
      core::skip_nested(json);
      continue;
    }
    const PayloadInfo* info = find_payload(json.text(), true);
    if (info == nullptr) {
      json.skip_value();
    } else {
      offer(info->payload, json, fmt::format("args/dumps/{}", info->key));
    }
  }
}

/// Passes the value of the current key to the reader of this payload.
void EventWalker::offer(Payload payload, core::JsonReader& json, std::string_view path) {
  const auto reader =
      std::ranges::find_if(readers_, [payload](const PayloadReader* one) { return one->reads(payload); });
  if (reader == readers_.end()) {
    json.skip_value();
    return;
  }
  const std::uint64_t offset = json.span().offset;
  core::JsonPlace place{fmt::format("{}/{}", path_, path), std::nullopt};
  if (&json != json_) place.string = dumps_string_;
  if (std::ranges::find(members_, payload, &Member::payload) != members_.end()) {
    core::report_or_count(findings_, {&core::rules::json_object_duplicate_key, place.locate(json.span()),
                                      fmt::format("the event has a second `{}`, expected one", path)});
    json.skip_value();
    return;
  }
  // Findings are held back until the phase and the name show whether the payload is meaningful at all.
  findings_.enter(payload);
  (*reader)->read(payload, json, place, findings_);
  findings_.leave();
  members_.push_back({payload, {offset, json.span().end() - offset}, place.string.has_value()});
}

void EventWalker::finish() {
  forget_strange();
  const bool is_kept = check_head();
  if (is_kept) {
    reached_limit_ = findings_.has_limit();
    findings_.pass_on();
  } else {
    findings_.forget();
    members_.clear();
  }
  for (PayloadReader* reader : readers_) reader->finish_event(head_, is_kept, *sink_);
}

/// Drops the payloads that are meaningless in an event with this phase and name.
void EventWalker::forget_strange() {
  for (const Member& member : members_) {
    if (belongs(member.payload, head_)) continue;
    if (is_heap(member.payload)) report_phase(member);
    findings_.forget(member.payload);
    for (PayloadReader* reader : readers_) {
      if (reader->reads(member.payload)) reader->forget(member.payload);
    }
  }
  std::erase_if(members_, [this](const Member& member) { return !belongs(member.payload, head_); });
}

/// Reports heaps in an event that is not a memory dump, because readers skip such heaps.
void EventWalker::report_phase(const Member& member) {
  const Span span = member.in_string ? *dumps_string_ : member.span;
  const std::string found =
      head_.phase.empty() ? "no phase" : fmt::format("the phase `{}`", core::make_excerpt(head_.phase));
  core::report_or_count(*sink_, {&rules::event_phase,
                                 {span, std::nullopt, path_ + "/args/dumps"},
                                 fmt::format("the event with heaps has {}, expected `v`", found)});
}

/// Returns whether the payloads of the event are meaningful. If they are not, reports the member that is
/// missing.
bool EventWalker::check_head() {
  const bool is_dump = head_.phase == "v" && findings_.has_any();
  if (members_.empty() && !is_dump) return false;
  const Location location{head_.span, std::nullopt, path_};
  if (!head_.pid) {
    core::report_or_count(
        *sink_, {&rules::event_pid, location, "the event has no integer `pid`, expected its process id"});
    return false;
  }
  const bool has_heap = std::ranges::any_of(members_, is_heap, &Member::payload);
  if (has_heap && head_.id.empty()) {
    core::report_or_count(*sink_,
                          {&rules::event_id, location, "the event has no `id`, expected the id of its dump"});
    return false;
  }
  return true;
}

}  // namespace heapcheck::chrome
