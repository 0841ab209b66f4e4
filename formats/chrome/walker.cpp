#include "formats/chrome/walker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "formats/chrome/faults.hpp"
#include "formats/chrome/plain_event.hpp"
#include "formats/core/input_rules.hpp"
#include "formats/core/json/faults.hpp"
#include "formats/core/limit_rules.hpp"
#include "formats/core/source.hpp"

namespace heapcheck::chrome {
namespace {

using core::JsonToken;

/// Where a payload stands, and in which events it means something.
struct PayloadInfo {
  Payload payload;
  std::string_view key;    ///< of the member that holds it
  bool in_dumps;           ///< in `args.dumps`, or else in `args` itself
  std::string_view phase;  ///< of its event
  std::string_view name;   ///< of its event; empty where any does
};
constexpr std::array payloads{
    PayloadInfo{Payload::heaps, "heaps", true, "v", {}},
    PayloadInfo{Payload::heaps_v2, "heaps_v2", true, "v", {}},
    PayloadInfo{Payload::allocators, "allocators", true, "v", {}},
    PayloadInfo{Payload::stack_frames, "stackFrames", false, "M", "stackFrames"},
    PayloadInfo{Payload::type_names, "typeNames", false, "M", "typeNames"},
    PayloadInfo{Payload::heap_profile, "data", false, "P", "heap_profile"},
    PayloadInfo{Payload::process_name, "name", false, "M", "process_name"},
};

static_assert(std::ranges::all_of(payloads, [](const PayloadInfo& info) {
  return info.phase.size() == 1 &&
         std::ranges::find(payload_phases, info.phase[0]) != std::end(payload_phases);
}));

constexpr std::array<std::string_view, 8> head_keys{"ph", "name", "cat", "id", "ts", "pid", "tid", "args"};
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

const PayloadInfo* find_payload(std::string_view key, bool in_dumps) {
  const auto* found = std::ranges::find_if(
      payloads, [&](const PayloadInfo& info) { return info.in_dumps == in_dumps && info.key == key; });
  return found == payloads.end() ? nullptr : found;
}

/// Whether a payload means something in an event of this head; where the head does not say its phase or
/// name yet, whether it may.
bool fits(const PayloadInfo& info, const EventHead& head) {
  const bool phase_fits = head.phase.empty() || head.phase == info.phase;
  return phase_fits && (info.name.empty() || head.name.empty() || head.name == info.name);
}

bool belongs(Payload payload, const EventHead& head) {
  const auto* info = std::ranges::find(payloads, payload, &PayloadInfo::payload);
  return !head.phase.empty() && (info->name.empty() || !head.name.empty()) && fits(*info, head);
}

void take_text(const core::JsonReader& json, std::string& text) {
  const bool is_text = json.token() == JsonToken::string || json.token() == JsonToken::number;
  text = is_text ? json.text() : std::string_view();
}

core::JsonOptions make_options(const core::Limits& limits) {
  return {.max_text = static_cast<std::size_t>(limits.max_json_text), .long_text_is_error = true};
}

void skip_space(core::Window& window) {
  for (core::ByteSpan bytes = window.peek(1); !bytes.empty(); bytes = window.peek(1)) {
    const auto other = std::ranges::find_if_not(bytes, core::json::Input::is_space);
    window.consume(static_cast<std::size_t>(other - bytes.begin()));
    if (other != bytes.end()) return;
  }
}

core::Finding make_finding(const core::JsonError& error, const Place& place) {
  const std::uint64_t length = error.kind == core::JsonErrorKind::truncated ? 0 : 1;
  return {&core::rule_of(error.kind), place.locate({error.offset, length}), error.message};
}

}  // namespace

Walker::Walker(core::Window& window, const core::Limits& limits, std::span<PayloadReader* const> readers,
               core::FindingSink& sink)
    : window_(&window),
      limits_(&limits),
      readers_(readers.begin(), readers.end()),
      sink_(&sink),
      findings_(sink),
      json_(window, limits, make_options(limits)) {}

bool Walker::read_event() {
  if (state_ == State::start && !start()) return false;
  while (state_ == State::events) {
    container_.event_count += plain_run_.skip(json_);
    gap_begin_ = json_.span().end();
    const JsonToken token = json_.next();
    if (token == JsonToken::array_end) {
      if (!end_events()) return false;
      continue;
    }
    if (token == JsonToken::error) return accept_open_end() ? finish() : stop_at_error();
    head_ = {};
    head_.index = container_.event_count++;
    head_.span = json_.span();
    if (token == JsonToken::object_begin) {
      walk_event();
      return json_.token() == JsonToken::error ? stop_at_error() : state_ == State::events;
    }
    sink_->report({&rules::event_type, {json_.span(), std::nullopt, event_path()}, "an event is no object"});
    if (token == JsonToken::array_begin) json_.skip_rest();
  }
  return false;
}

/// Goes to the first event.
bool Walker::start() {
  const std::uint64_t offset = window_->offset();
  if (core::as_text(window_->look(byte_order_mark.size())) == byte_order_mark) {
    window_->consume(byte_order_mark.size());
    sink_->report({&rules::file_bom, {{offset, byte_order_mark.size()}}, "begins with a byte order mark"});
  }
  const JsonToken token = json_.next();
  if (token == JsonToken::array_begin) return enter_events();
  container_.is_object = true;
  if (token == JsonToken::object_begin) return find_events();
  return token == JsonToken::error ? stop_at_error() : finish();
}

bool Walker::enter_events() {
  container_.has_events = true;
  container_.events = json_.span();
  state_ = State::events;
  return true;
}

/// Goes on in the trace object to the array of events, or to the object's end.
bool Walker::find_events() {
  while (json_.next() == JsonToken::key) {
    if (json_.text() != "traceEvents") {
      json_.skip_value();
      continue;
    }
    if (container_.has_events) {
      sink_->report({&core::rules::json_object_duplicate_key,
                     {json_.span(), std::nullopt, "/traceEvents"},
                     "the trace has a second `traceEvents`; a member must occur once"});
      json_.skip_value();
      continue;
    }
    if (json_.next() == JsonToken::array_begin) return enter_events();
    if (json_.token() == JsonToken::object_begin) json_.skip_rest();
  }
  return json_.token() == JsonToken::error ? stop_at_error() : finish();
}

/// Behind the array's closing bracket: goes on with the object around it, or to the document's end.
bool Walker::end_events() {
  container_.events.length = json_.span().end() - container_.events.offset;
  return container_.is_object ? find_events() : finish();
}

/// A bare array that ends after an event, or after the comma behind one, is an interrupted trace.
bool Walker::accept_open_end() {
  const core::JsonError& error = *json_.error();
  const bool is_open_end = error.kind == core::JsonErrorKind::truncated && json_.depth() == 1;
  if (container_.is_object || !is_open_end || window_->error()) return false;
  container_.is_unclosed = true;
  container_.events.length = error.offset - container_.events.offset;
  sink_->report({&rules::events_unclosed,
                 {{error.offset, 0}},
                 "the array of events has no closing bracket; the trace was interrupted"});
  return true;
}

/// The trace is over: nothing but white space may follow.
bool Walker::finish() {
  state_ = State::done;
  if (json_.token() != JsonToken::error) json_.next();
  json_.release();
  skip_space(*window_);
  if (!window_->at_end()) {
    sink_->report({&core::rules::json_document_trailing,
                   {{window_->offset(), 1}},
                   fmt::format("{} follows the document; nothing but white space may",
                               core::json::describe_byte(window_->peek(1)[0]))});
    return false;
  }
  if (window_->error()) return report_failure();
  container_.is_complete = true;
  if (!container_.has_events) {
    sink_->report({&rules::events_missing,
                   {{0, window_->offset()}},
                   "has no array `traceEvents`, which a trace object must have"});
  }
  return false;
}

/// The document cannot be read on; what was read of the event it breaks in is forgotten.
bool Walker::stop_at_error() {
  const bool in_event = state_ == State::events && json_.depth() > (container_.is_object ? 2U : 1U);
  state_ = State::done;
  findings_.forget();
  for (PayloadReader* reader : readers_) reader->finish_event(head_, false, *sink_);
  if (window_->error()) return report_failure();
  sink_->report(make_finding(*json_.error(), {in_event ? event_path() : std::string()}));
  return false;
}

/// The input ended before its time: what is around it is broken, or a limit was reached.
bool Walker::report_failure() {
  const core::Error& error = *window_->error();
  const bool is_limit = error.kind == core::ErrorKind::limit;
  const core::Rule& rule = is_limit ? core::rules::limit_input_bytes : core::rules::input_compression;
  sink_->report({&rule, {{window_->offset(), 0}}, error.message});
  return false;
}

std::string Walker::event_path() const {
  return fmt::format("{}/{}", container_.is_object ? "/traceEvents" : "", head_.index);
}

void Walker::walk_event() {
  members_.clear();
  dumps_string_.reset();
  seen_ = 0;
  const std::uint64_t offset = json_.span().offset;
  while (json_.next() == JsonToken::key) walk_member(json_.text());
  if (json_.token() == JsonToken::error) return;
  head_.span = {offset, json_.span().end() - offset};
  finish_event();
}

void Walker::walk_member(std::string_view key) {
  const auto* const known = std::ranges::find(head_keys, key);
  if (known == head_keys.end()) {
    json_.skip_value();
    return;
  }
  const unsigned bit = 1U << (known - head_keys.begin());
  if ((seen_ & bit) != 0) {
    core::report_or_count(findings_,
                          {&core::rules::json_object_duplicate_key,
                           {json_.span(), std::nullopt, event_path() + "/" + std::string(key)},
                           fmt::format("the event has a second `{}`; a member must occur once", *known)});
  }
  seen_ |= bit;
  if (*known == "args") return walk_args();
  const JsonToken token = json_.next();
  if (*known == "pid") head_.pid = json_.as_signed();
  if (*known == "tid") head_.tid = json_.as_signed();
  const std::array texts{&head_.phase, &head_.name, &head_.category, &head_.id, &head_.timestamp};
  if (bit < 1U << texts.size()) take_text(json_, *texts[static_cast<std::size_t>(known - head_keys.begin())]);
  if (token == JsonToken::object_begin || token == JsonToken::array_begin) json_.skip_rest();
}

void Walker::walk_args() {
  const JsonToken token = json_.next();
  if (token == JsonToken::array_begin) json_.skip_rest();
  if (token != JsonToken::object_begin) return;
  while (json_.next() == JsonToken::key) {
    if (json_.text() == "dumps" && (head_.phase.empty() || head_.phase == "v")) {
      walk_dumps();
      continue;
    }
    const PayloadInfo* info = find_payload(json_.text(), false);
    if (info == nullptr || !fits(*info, head_)) {
      json_.skip_value();
      continue;
    }
    offer(info->payload, json_, fmt::format("args/{}", info->key));
  }
}

void Walker::walk_dumps() {
  const JsonToken token = json_.next();
  if (token == JsonToken::object_begin) return walk_dumps_members(json_);
  if (token == JsonToken::error) return;
  const core::Location location{json_.span(), std::nullopt, event_path() + "/args/dumps"};
  if (token == JsonToken::string) {
    core::report_or_count(findings_,
                          {&rules::dumps_json_string, location, "holds the dump as a string of JSON"});
    return walk_dumps_text();
  }
  core::report_or_count(findings_,
                        {&rules::dumps_type, location, "is neither an object nor a string of JSON"});
  if (token == JsonToken::array_begin) json_.skip_rest();
}

/// Reads what `args.dumps` holds as a string of JSON.
void Walker::walk_dumps_text() {
  dumps_string_ = json_.span();
  const Place place{event_path() + "/args/dumps", dumps_string_};
  dumps_text_ = json_.text();
  core::MemorySource source(core::as_bytes(dumps_text_));
  core::Window window(source);
  core::JsonReader json(window, *limits_, make_options(*limits_));
  if (json.next() == JsonToken::object_begin) walk_dumps_members(json);
  if (json.token() == JsonToken::object_end && json.next() == JsonToken::end && json.skip_whitespace()) {
    core::report_or_count(findings_,
                          {&core::rules::json_document_trailing, place.locate({window.offset(), 1}),
                           "more follows the dump in its string"});
  } else if (json.token() == JsonToken::error) {
    core::report_or_count(findings_, make_finding(*json.error(), place));
  } else if (json.token() != JsonToken::end) {
    core::report_or_count(findings_,
                          {&rules::dumps_type, place.locate({0, dumps_text_.size()}), "holds no object"});
  }
}

void Walker::walk_dumps_members(core::JsonReader& json) {
  while (json.next() == JsonToken::key) {
    if (json.text() == "level_of_detail") {
      const JsonToken token = json.next();
      take_text(json, head_.level_of_detail);
      if (token == JsonToken::object_begin || token == JsonToken::array_begin) json.skip_rest();
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

/// Gives the value that comes next, behind its key, to the reader that wants it.
void Walker::offer(Payload payload, core::JsonReader& json, std::string_view path) {
  const auto reader =
      std::ranges::find_if(readers_, [payload](const PayloadReader* one) { return one->reads(payload); });
  if (reader == readers_.end()) {
    json.skip_value();
    return;
  }
  const std::uint64_t offset = json.span().offset;
  Place place{fmt::format("{}/{}", event_path(), path), std::nullopt};
  if (&json != &json_) place.string = dumps_string_;
  if (std::ranges::find(members_, payload, &Member::payload) != members_.end()) {
    core::report_or_count(findings_, {&core::rules::json_object_duplicate_key, place.locate(json.span()),
                                      "a second one; a member must occur once"});
    json.skip_value();
    return;
  }
  (*reader)->read(payload, json, place, findings_);
  members_.push_back({payload, {offset, json.span().end() - offset}, place.string.has_value()});
}

void Walker::finish_event() {
  const std::vector<Member> read = members_;
  const bool is_kept = check_head();
  if (is_kept) {
    const bool has_limit = findings_.has_limit();
    findings_.pass_on();
    if (has_limit) state_ = State::done;
  } else {
    findings_.forget();
    members_.clear();
  }
  for (PayloadReader* reader : readers_) {
    const bool has_strange = std::ranges::any_of(read, [this, reader](const Member& member) {
      return reader->reads(member.payload) && !belongs(member.payload, head_);
    });
    reader->finish_event(head_, is_kept && !has_strange, *sink_);
  }
}

/// Whether the event is one whose payloads count; reports what it lacks for that.
bool Walker::check_head() {
  const bool is_dump = head_.phase == "v" && (!members_.empty() || findings_.has_any());
  std::erase_if(members_, [this](const Member& member) { return !belongs(member.payload, head_); });
  if (members_.empty() && !is_dump) return false;
  const core::Location location{head_.span, std::nullopt, event_path()};
  if (!head_.pid) {
    core::report_or_count(*sink_, {&rules::event_pid, location, "has no `pid` that is an integer"});
    return false;
  }
  const bool has_heap = std::ranges::any_of(members_, [](const Member& member) {
    return member.payload == Payload::heaps || member.payload == Payload::heaps_v2;
  });
  if (has_heap && head_.id.empty()) {
    core::report_or_count(*sink_, {&rules::event_id, location, "has no `id`"});
    return false;
  }
  return true;
}

}  // namespace heapcheck::chrome
