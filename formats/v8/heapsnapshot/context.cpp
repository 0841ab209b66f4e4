#include "formats/v8/heapsnapshot/context.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/core/input_failure.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::v8::heapsnapshot {

using core::JsonToken;

void Context::report(const Rule& rule, Span span, const core::JsonPath& path, std::string message) {
  note(rule);
  JsonContext::report(rule, span, path, std::move(message));
}

void Context::note(const Rule& rule) {
  if (!has_reported(rule)) reported_.push_back(&rule);
}

bool Context::has_reported(const Rule& rule) const {
  return std::ranges::find(reported_, &rule) != reported_.end();
}

bool Context::has_colon_after() {
  json.release();
  const core::ByteSpan next = window_->peek(1);
  return !next.empty() && next[0] == ':';
}

void Context::mark() {
  if (!keeps_marks_) return;
  const std::size_t before = marks_.size();
  append_marks(json, marks_);
  const bool is_key = marks_.size() > before && json.token() == JsonToken::key && has_colon_after();
  for (std::size_t i = before; i < marks_.size(); ++i) marks_[i].is_key = is_key;
  take_memory((marks_.size() - before) * sizeof(TextMark), json.span().offset, {});
}

void Context::skip_unknown() {
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

void Context::report_end(std::string_view path) const {
  if (memory.is_spent() || !json.error()) return;
  const Location at{{window_->offset(), 0}, std::nullopt, std::string(path)};
  if (!core::report_input_failure(*window_, sink, at)) report_error(path);
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

Finding WrongElements::make_finding(std::string path) const {
  return {rule_, context_->place.locate(context_->json.span(), std::move(path)),
          fmt::format("found {}, expected {}", describe_value(context_->json), expected_)};
}

}  // namespace heapcheck::v8::heapsnapshot
