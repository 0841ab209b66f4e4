#include "formats/chrome/walker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "formats/chrome/faults.hpp"
#include "formats/core/faults.hpp"
#include "formats/core/input_failure.hpp"
#include "formats/core/json/context.hpp"
#include "formats/core/json/faults.hpp"
#include "formats/core/source.hpp"

namespace heapcheck::chrome {
namespace {

using core::JsonToken;

/// Moves to the value of `key` in the next object. Returns false if there is no such member.
bool enter(core::JsonReader& json, std::string_view key) {
  if (json.next() != JsonToken::object_begin) return false;
  while (json.next() == JsonToken::key) {
    if (json.text() == key) return true;
    json.skip_value();
  }
  return false;
}

}  // namespace

Walker::Walker(core::Window& window, const Limits& limits, std::span<PayloadReader* const> readers,
               core::FindingSink& sink)
    : window_(&window),
      sink_(&sink),
      json_(window, limits, core::make_json_options(limits)),
      event_(json_, limits, readers, sink) {}

bool Walker::read_event() {
  if (state_ == State::start && !start()) return false;
  while (state_ == State::events) {
    skip_plain_events();
    const JsonToken token = json_.next();
    if (token == JsonToken::array_end) {
      if (!end_events()) return false;
      continue;
    }
    // An interrupted trace has no closing bracket. spec: chrome/trace.md#unclosed
    if (token == JsonToken::error) return accept_open_end() ? finish() : stop_at_error({});
    if (token == JsonToken::end) return finish();
    const std::uint64_t index = container_.event_count++;
    if (token == JsonToken::object_begin) return walk_event(index);
    core::report_lazily(*sink_, rules::event_type, [&] {
      return Finding{&rules::event_type,
                     {json_.span(), std::nullopt, path_of(index)},
                     fmt::format("the event is {}, expected an object", core::describe_token(json_.token()))};
    });
    if (token == JsonToken::array_begin && json_.skip_rest() == JsonToken::error)
      return stop_at_error(path_of(index));
  }
  return false;
}

/// Skips events that contain neither a phase of heap dumps nor the key `dumps`. The first event is always
/// walked. In a bare array, so are all events up to the first event that identifies the array as a trace.
void Walker::skip_plain_events() {
  std::size_t count = shows_trace_ ? container_.event_count : 0;
  while (count != 0) {
    count = json_.skip_objects_without(walked_phases, "dumps");
    container_.event_count += count;
  }
  gap_begin_ = json_.span().end();
}

bool Walker::walk_event(std::uint64_t index) {
  const bool is_whole = event_.walk(index, path_of(index));
  shows_trace_ = shows_trace_ || !event_.head().phase.empty() || !event_.members().empty();
  if (!is_whole) return stop_at_error(path_of(index));
  if (event_.reached_limit()) state_ = State::done;
  return !event_.reached_limit();
}

/// Moves to the first event.
bool Walker::start() {
  if (const auto mark = core::json::skip_byte_order_mark(*window_))
    sink_->report({&rules::file_bom, {*mark}, "the trace begins with a byte order mark, expected { or ["});
  const JsonToken token = json_.next();
  if (token == JsonToken::array_begin) return enter_events();
  container_.is_object = true;
  if (token == JsonToken::object_begin) return find_events();
  return token == JsonToken::error ? stop_at_error({}) : finish();
}

bool Walker::enter_events() {
  container_.has_events = true;
  container_.events = json_.span();
  state_ = State::events;
  return true;
}

/// Moves forward in the trace object to the array of events or to the end of the object.
bool Walker::find_events() {
  while (json_.next() == JsonToken::key) {
    if (json_.text() != "traceEvents") {
      if (json_.text() == "metadata") {
        walk_metadata();
      } else {
        json_.skip_value();
      }
      continue;
    }
    // The value of the member does not matter, because no other format has this member.
    shows_trace_ = true;
    if (container_.has_events) {
      sink_->report({&core::rules::json_object_duplicate_key,
                     {json_.span(), std::nullopt, "/traceEvents"},
                     "the trace has a second `traceEvents`, expected one"});
      json_.skip_value();
      continue;
    }
    if (json_.next() == JsonToken::array_begin) return enter_events();
    if (json_.token() == JsonToken::object_begin) json_.skip_rest();
  }
  return json_.token() == JsonToken::error ? stop_at_error({}) : finish();
}

/// Reads the configuration of the trace from its metadata.
void Walker::walk_metadata() {
  const JsonToken token = json_.next();
  if (token == JsonToken::array_begin) json_.skip_rest();
  if (token != JsonToken::object_begin) return;
  while (json_.next() == JsonToken::key) {
    if (json_.text() != "trace-config") {
      json_.skip_value();
      continue;
    }
    const JsonToken config = json_.next();
    if (config == JsonToken::string) container_.config = json_.text();
    core::skip_nested(json_);
  }
}

/// Called at the array's closing bracket. Continues with the object around the array, or ends the document.
bool Walker::end_events() {
  container_.events.length = json_.span().end() - container_.events.offset;
  return container_.is_object ? find_events() : finish();
}

/// Returns true if a bare array ends after an event or after the comma that follows an event, because such an
/// array is an interrupted trace.
bool Walker::accept_open_end() {
  const core::JsonError& error = *json_.error();
  const bool is_open_end = error.kind == core::JsonErrorKind::truncated && json_.depth() == 1;
  if (container_.is_object || !is_open_end || window_->error()) return false;
  container_.is_unclosed = true;
  container_.events.length = error.offset - container_.events.offset;
  sink_->report({&rules::events_unclosed,
                 {{error.offset, 0}},
                 "the trace ends inside the array of events, expected a closing bracket"});
  return true;
}

/// Ends the trace. Nothing but white space may follow.
bool Walker::finish() {
  state_ = State::done;
  if (json_.token() != JsonToken::error) json_.next();
  json_.release();
  core::json::skip_space(*window_);
  const bool has_rest = !window_->at_end();
  // If the input failed, this may be why parts of the trace are missing, so nothing else is reported.
  if (!has_rest && report_failure()) return false;
  container_.is_foreign = !shows_trace_;
  if (has_rest) {
    core::report_trailing(*window_, *sink_);
    return false;
  }
  container_.is_complete = true;
  if (!container_.has_events) {
    sink_->report({&rules::events_missing,
                   {{0, window_->offset()}},
                   "the object has no array `traceEvents`, expected one in a trace"});
  }
  return false;
}

/// Called if the document cannot be read beyond `path`.
bool Walker::stop_at_error(std::string path) {
  state_ = State::done;
  json_.release();
  window_->skip_to_end();  // damage to compressed input may not be detected until after its content
  if (report_failure()) return false;
  const core::JsonError& error = *json_.error();
  const Rule& rule = core::rule_of(error.kind);
  container_.is_foreign = !shows_trace_ && rule.stage != Stage::limit;
  sink_->report({&rule, {core::span_of(error), std::nullopt, std::move(path)}, error.message});
  return false;
}

/// Returns whether the input ended too early. If it did, reports the reason.
bool Walker::report_failure() {
  return core::report_input_failure(*window_, *sink_, {{window_->offset(), 0}});
}

std::string Walker::path_of(std::uint64_t event) const {
  return fmt::format("{}/{}", container_.is_object ? "/traceEvents" : "", event);
}

std::optional<std::uint64_t> find_breakdown_threshold(std::string_view config, const Limits& limits) {
  core::MemorySource source(core::as_bytes(config));
  core::Window window(source);
  core::JsonReader json(window, limits);
  constexpr std::array<std::string_view, 3> path{"memory_dump_config", "heap_profiler_options",
                                                 "breakdown_threshold_bytes"};
  for (const std::string_view key : path) {
    if (!enter(json, key)) return std::nullopt;
  }
  return json.next() == JsonToken::number ? json.as_unsigned() : std::nullopt;
}

}  // namespace heapcheck::chrome
