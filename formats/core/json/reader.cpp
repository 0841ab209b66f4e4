#include "formats/core/json/reader.hpp"

#include <algorithm>
#include <utility>

#include "formats/core/json/grammar.hpp"
#include "formats/core/json/leaf.hpp"
#include "formats/core/json/skip.hpp"
#include "formats/core/text/parse_number.hpp"

namespace heapcheck::core {
namespace {

constexpr std::string_view value_expected = "a value";

bool opens(JsonToken token) { return token == JsonToken::object_begin || token == JsonToken::array_begin; }

}  // namespace

/// Moves to the next byte that is not white space and therefore begins a token. At the end of the input, sets
/// the error and returns false.
inline bool JsonReader::to_byte(std::string_view expected) {
  if (!input_.skip_space()) {
    fail_here(expected);
    return false;
  }
  span_.offset = input_.offset();
  return true;
}

inline JsonToken JsonReader::finish(JsonToken token) {
  span_.length = input_.offset() - span_.offset;
  state_ = token == JsonToken::key ? State::after_key : State::after_value;
  return token;
}

JsonReader::JsonReader(Window& window, const Limits& limits, const JsonOptions& options)
    : input_(window),
      text_(input_, options),
      max_depth_(limits.max_json_depth),
      strict_utf8_(options.strict_utf8) {}

JsonToken JsonReader::next() {
  input_.attach();
  token_ = advance();
  return token_;
}

void JsonReader::release() { input_.release(); }

JsonToken JsonReader::skip_value() {
  if (!value_may_follow()) return next();
  input_.attach();
  text_.keep_strings(false);
  const std::size_t depth = nesting_.depth();
  const JsonToken first = advance();
  const std::uint64_t offset = span_.offset;
  const bool skipped = !opens(first) || advance_to_depth(depth) != JsonToken::error;
  text_.keep_strings(true);
  if (skipped && opens(first)) span_ = {offset, input_.offset() - offset};
  text_.clear();
  token_ = skipped ? first : JsonToken::error;
  return token_;
}

JsonToken JsonReader::skip_rest() {
  if (nesting_.depth() == 0) return next();
  input_.attach();
  text_.keep_strings(false);
  token_ = advance_to_depth(nesting_.depth() - 1);
  text_.keep_strings(true);
  return token_;
}

bool JsonReader::skip_whitespace() {
  input_.attach();
  text_.clear();
  return input_.skip_space();
}

std::optional<std::uint64_t> JsonReader::as_unsigned() const {
  if (!is_integer() || truncated_text()) return std::nullopt;
  return parse_number(text());
}

std::optional<std::int64_t> JsonReader::as_signed() const {
  if (!is_integer() || truncated_text()) return std::nullopt;
  return parse_number<std::int64_t>(text());
}

std::optional<double> JsonReader::as_double() const {
  if (token_ != JsonToken::number || truncated_text()) return std::nullopt;
  return parse_number<double>(text());
}

JsonToken JsonReader::advance() {
  text_.clear();
  switch (state_) {
    case State::value:
      return read_value();
    case State::first_element:
      return read_first_element();
    case State::first_key:
      return read_first_key();
    case State::after_key:
      return read_after_key();
    case State::after_value:
      return read_after_value();
    case State::done:
      return JsonToken::end;
    case State::failed:
      break;
  }
  return JsonToken::error;
}

/// Continues until only `depth` arrays and objects are open, and returns the last token. If skipping in
/// blocks is impossible, reads token by token for at least the length of a block.
JsonToken JsonReader::advance_to_depth(std::size_t depth) {
  text_.clear();
  if (state_ == State::failed) return JsonToken::error;
  JsonToken token = JsonToken::end;
  while (nesting_.depth() > depth && token != JsonToken::error) {
    if (skip_to_depth(depth)) {
      span_.offset = input_.offset();
      return close();
    }
    const std::uint64_t end = input_.offset() + json::block_bytes;
    do {
      token = advance();
    } while (nesting_.depth() > depth && token != JsonToken::error && input_.offset() < end);
  }
  return token;
}

/// Skips in blocks as far as possible. Returns whether it reached the bracket after which `depth` arrays and
/// objects are open.
bool JsonReader::skip_to_depth(std::size_t depth) {
  for (;;) {
    const json::Skipped skipped =
        json::skip_blocks(input_.bytes(), state_, nesting_, {depth, max_depth_, strict_utf8_});
    input_.advance(skipped.byte_count);
    if (skipped.end == json::SkipEnd::bracket) return true;
    state_ = skipped.state;
    const std::size_t left = input_.available();
    if (skipped.end == json::SkipEnd::bytes) input_.want(left + json::block_bytes);
    if (input_.available() == left) return false;
  }
}

JsonToken JsonReader::read_value() {
  if (!to_byte(value_expected)) return JsonToken::error;
  const std::uint8_t byte = input_.front();
  switch (byte) {
    case '{':
      return open(true);
    case '[':
      return open(false);
    case '"':
      return read_string(JsonToken::string);
    case 't':
    case 'f':
    case 'n':
      return read_literal();
    default:
      break;
  }
  if (byte == '-' || (byte >= '0' && byte <= '9')) return read_number();
  return fail_here(value_expected);
}

JsonToken JsonReader::read_first_element() {
  if (!to_byte("a value or ']'")) return JsonToken::error;
  return input_.front() == ']' ? close() : read_value();
}

JsonToken JsonReader::read_first_key() {
  if (!to_byte("a key or '}'")) return JsonToken::error;
  return input_.front() == '}' ? close() : read_key();
}

JsonToken JsonReader::read_key() {
  constexpr std::string_view expected = "a key in double quotes";
  if (!to_byte(expected)) return JsonToken::error;
  if (input_.front() != '"') return fail_here(expected);
  return read_string(JsonToken::key);
}

JsonToken JsonReader::read_after_key() {
  constexpr std::string_view expected = "':' after the key";
  if (!to_byte(expected)) return JsonToken::error;
  if (input_.front() != ':') return fail_here(expected);
  input_.advance(1);
  return read_value();
}

JsonToken JsonReader::read_after_value() {
  if (nesting_.depth() == 0) {
    state_ = State::done;
    release();
    span_ = {input_.offset(), 0};
    return JsonToken::end;
  }
  const bool is_object = nesting_.in_object();
  const std::string_view expected = is_object ? "',' or '}' after a value" : "',' or ']' after a value";
  if (!to_byte(expected)) return JsonToken::error;
  const char mark = static_cast<char>(input_.front());
  if (mark == (is_object ? '}' : ']')) return close();
  if (mark != ',') return fail_here(expected);
  input_.advance(1);
  return is_object ? read_key() : read_value();
}

JsonToken JsonReader::read_literal() {
  constexpr std::size_t longest = 5;
  input_.want(longest);
  if (const auto lexeme = json::literal(input_.bytes())) {
    input_.advance(lexeme->byte_count);
    constexpr auto difference =
        static_cast<int>(JsonToken::literal_true) - static_cast<int>(json::Literal::literal_true);
    return finish(static_cast<JsonToken>(static_cast<int>(lexeme->value) + difference));
  }
  const char first = static_cast<char>(input_.front());
  const std::string_view name = first == 't' ? "true" : first == 'f' ? "false" : "null";
  for (const char letter : name) {
    if (input_.available() == 0 || input_.front() != static_cast<std::uint8_t>(letter)) break;
    input_.advance(1);
  }
  return fail_here("true, false or null");
}

JsonToken JsonReader::open(bool is_object) {
  if (nesting_.depth() >= max_depth_) {
    return fail({input_.offset(), JsonErrorKind::depth_limit,
                 "nesting is deeper than the limit of " + std::to_string(max_depth_) + " levels"});
  }
  nesting_.push(is_object);
  input_.advance(1);
  finish(is_object ? JsonToken::object_begin : JsonToken::array_begin);
  state_ = is_object ? State::first_key : State::first_element;
  return is_object ? JsonToken::object_begin : JsonToken::array_begin;
}

JsonToken JsonReader::close() {
  const bool is_object = nesting_.in_object();
  nesting_.pop();
  input_.advance(1);
  return finish(is_object ? JsonToken::object_end : JsonToken::array_end);
}

JsonToken JsonReader::read_number() {
  if (!text_.read_number()) return fail(text_.error());
  return finish(JsonToken::number);
}

JsonToken JsonReader::read_string(JsonToken token) {
  if (!text_.read_string()) return fail(text_.error());
  return finish(token);
}

bool JsonReader::value_may_follow() const {
  if (state_ == State::after_value) return nesting_.in_array();
  return state_ == State::value || state_ == State::first_element || state_ == State::after_key;
}

JsonToken JsonReader::fail(JsonError error) {
  text_.clear();
  span_ = {error.offset, 0};
  error_ = std::move(error);
  state_ = State::failed;
  release();
  return JsonToken::error;
}

/// Fails at the next byte, or with `truncated` if the input ends here.
JsonToken JsonReader::fail_here(std::string_view expected) {
  return fail(json::make_error(input_, JsonErrorKind::syntax, expected));
}

}  // namespace heapcheck::core
