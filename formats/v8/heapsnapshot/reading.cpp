#include "formats/v8/heapsnapshot/reading.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/core/excerpt.hpp"
#include "formats/core/faults.hpp"
#include "formats/core/input_failure.hpp"
#include "formats/core/json/faults.hpp"

namespace heapcheck::v8::heapsnapshot {
namespace {

using core::JsonToken;

core::JsonOptions make_options(const Limits& limits) {
  return {.max_text = static_cast<std::size_t>(limits.max_json_text),
          .long_text_is_error = true,
          .keep_lone_surrogates = true};
}

}  // namespace

Reading::Reading(core::Window& window, const Limits& limits, core::FindingSink& sink, bool keeps_marks)
    : json(window, limits, make_options(limits)),
      sink_(&sink),
      window_(&window),
      max_memory_(limits.max_memory),
      max_text_(limits.max_json_text),
      keeps_marks_(keeps_marks) {}

void Reading::report(const Rule& rule, Span span, std::string path, std::string message) {
  if (!wants(rule)) return count(rule);
  if (!has_reported(rule)) reported_.push_back(&rule);
  sink_->report({&rule, {span, std::nullopt, std::move(path)}, std::move(message)});
}

void Reading::count(const Rule& rule) {
  if (!has_reported(rule)) reported_.push_back(&rule);
  sink_->report_more(rule, 1);
}

bool Reading::has_reported(const Rule& rule) const {
  return std::ranges::find(reported_, &rule) != reported_.end();
}

void Reading::stop_at_limit(std::uint64_t offset, std::string_view path) {
  is_full_ = true;
  report(core::rules::limit_memory, {offset, 0}, std::string(path),
         fmt::format("takes more than {} bytes of memory so far", max_memory_));
}

bool Reading::has_colon_behind() {
  json.release();
  const core::ByteSpan behind = window_->peek(1);
  return !behind.empty() && behind[0] == ':';
}

void Reading::mark() {
  if (!keeps_marks_) return;
  const std::size_t before = marks_.size();
  append_marks(json, marks_);
  const bool is_key = marks_.size() > before && json.token() == JsonToken::key && has_colon_behind();
  for (std::size_t i = before; i < marks_.size(); ++i) marks_[i].is_key = is_key;
  charge((marks_.size() - before) * sizeof(TextMark), json.span().offset, {});
}

void Reading::skip_unknown() {
  if (!keeps_marks_) {
    json.skip_value();
    return;
  }
  const std::size_t outside = json.depth();
  do {
    json.next();
    mark();
  } while (goes_on() && json.depth() > outside);
}

void Reading::skip_current() {
  if (json.token() == JsonToken::object_begin || json.token() == JsonToken::array_begin) json.skip_rest();
}

void Reading::report_json_error(std::string_view path) {
  if (is_full_ || !json.error()) return;
  const Location place{{window_->offset(), 0}, std::nullopt, std::string(path)};
  if (core::report_input_failure(*window_, *sink_, place)) return;
  const core::JsonError& error = *json.error();
  report(core::rule_of(error.kind), core::span_of(error), std::string(path), error.message);
}

std::string describe_value(const core::JsonReader& json) {
  switch (json.token()) {
    case JsonToken::object_begin:
      return "an object";
    case JsonToken::array_begin:
      return "an array";
    case JsonToken::string:
      return fmt::format("the string \"{}\"", core::make_excerpt(json.text()));
    case JsonToken::number:
      return fmt::format("the number {}", core::make_excerpt(json.text()));
    case JsonToken::literal_null:
      return "null";
    default:
      return json.token() == JsonToken::literal_true ? "true" : "false";
  }
}

}  // namespace heapcheck::v8::heapsnapshot
