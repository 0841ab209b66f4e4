#include "formats/core/json/reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "formats/core/json/grammar.hpp"
#include "formats/core/json/leaf.hpp"
#include "formats/core/json/skip.hpp"

namespace heapcheck::core {
namespace {

/// Elements on their way from the leaf parser to the caller.
using Batch = std::array<std::uint64_t, 2048>;

constexpr std::string_view value_expected = "a value";
bool ends_element(std::uint8_t byte) { return byte == ',' || byte == ']' || json::Input::is_space(byte); }

bool opens(JsonToken token) { return token == JsonToken::object_begin || token == JsonToken::array_begin; }

template <class T>
std::optional<T> convert(std::string_view text) {
  T value{};
  const char* const last = text.data() + text.size();
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): from_chars takes a range
  const auto [end, status] = std::from_chars(text.data(), last, value);
  if (status != std::errc{} || end != last) return std::nullopt;
  return value;
}

}  // namespace

/// Moves to the next byte that is not white space, where a token begins. At the end of the input, sets the
/// error and returns false.
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

std::size_t JsonReader::read_unsigned_array(std::vector<std::uint64_t>& out, std::size_t max_count) {
  input_.attach();
  text_.clear();
  span_ = {input_.offset(), 0};
  Batch batch;
  std::size_t count = 0;
  while (count < max_count) {
    const std::size_t wanted = std::min(batch.size(), max_count - count);
    const std::size_t taken = take_batch(std::span(batch).first(wanted));
    out.insert(out.end(), batch.begin(), batch.begin() + static_cast<std::ptrdiff_t>(taken));
    count += taken;
    if (taken < wanted) break;
  }
  span_.length = input_.offset() - span_.offset;
  return count;
}

ByteSpan JsonReader::peek_elements(std::size_t ahead) {
  input_.attach();
  text_.clear();
  if (!nesting_.in_array() || !value_may_follow() || !to_element()) return {};
  if (ahead != 0) input_.look_ahead(ahead);
  return show_sight();
}

ByteSpan JsonReader::peek_members() {
  input_.attach();
  text_.clear();
  if (!nesting_.in_object() || state_ != State::after_value) return {};
  return show_sight();
}

ByteSpan JsonReader::show_sight() {
  input_.want(json::Input::sight);
  span_ = {input_.offset(), input_.available()};
  return input_.bytes();
}

void JsonReader::take_elements(std::size_t byte_count) {
  take_members(byte_count);
  state_ = State::value;
}

void JsonReader::take_members(std::size_t byte_count) {
  span_ = {input_.offset(), byte_count};
  input_.advance(byte_count);
}

std::size_t JsonReader::skip_objects_without(std::string_view letters, std::string_view word) {
  constexpr std::size_t step = 8192;  // limits the work wasted on a large object
  const Span before = span_;
  const ByteSpan bytes = peek_elements();
  span_ = before;
  if (bytes.empty()) return 0;
  const json::SkippedObjects skipped = json::skip_objects_without(
      letters, word, bytes.first(std::min(bytes.size(), step)), nesting_, {0, max_depth_, strict_utf8_});
  if (skipped.count == 0) return 0;
  span_ = {input_.offset(), skipped.byte_count};
  input_.advance(skipped.byte_count);
  state_ = State::after_value;
  return skipped.count;
}

bool JsonReader::skip_whitespace() {
  input_.attach();
  text_.clear();
  return input_.skip_space();
}

std::optional<std::uint64_t> JsonReader::as_unsigned() const {
  if (!is_integer() || truncated_text()) return std::nullopt;
  return convert<std::uint64_t>(text());
}

std::optional<std::int64_t> JsonReader::as_signed() const {
  if (!is_integer() || truncated_text()) return std::nullopt;
  return convert<std::int64_t>(text());
}

std::optional<double> JsonReader::as_double() const {
  if (token_ != JsonToken::number || truncated_text()) return std::nullopt;
  return convert<double>(text());
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

/// Continues until `depth` arrays and objects are open and returns the last token. Anything that cannot be
/// skipped in blocks is read token by token, for at least the length of a block.
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

/// Skips in blocks as far as possible. Returns whether it reached the bracket that leaves `depth` open.
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

/// Moves to the next element of an array. Returns whether the bytes so far allow one.
bool JsonReader::to_element() {
  if (!input_.skip_space()) return false;
  if (state_ == State::after_value) {
    if (input_.front() != ',') return false;
    input_.advance(1);
    state_ = State::value;
    return input_.skip_space();
  }
  return true;
}

/// Takes the element that begins at the next byte if it is a plain unsigned integer. Returns whether it did.
bool JsonReader::take_element(std::uint64_t& value) {
  constexpr std::size_t longest_element = 32;
  if (input_.available() < longest_element) input_.want(longest_element);
  const auto lexeme = json::decode_unsigned(input_.bytes());
  if (!lexeme || !ends_element(input_.data()[lexeme->byte_count])) return false;
  input_.advance(lexeme->byte_count);
  state_ = State::after_value;
  value = lexeme->value;
  return true;
}

/// Fills the front of `values` with elements of an array as long as they are plain unsigned integers, and
/// returns their number. Elements of the common form go through the leaf parser in runs.
std::size_t JsonReader::take_batch(std::span<std::uint64_t> values) {
  if (!nesting_.in_array() || !value_may_follow()) return 0;
  std::size_t count = 0;
  while (count < values.size() && to_element()) {
    const json::UnsignedRun run = json::decode_unsigned_run(input_.bytes(), values.subspan(count));
    if (run.count == 0) {
      if (!take_element(values[count])) break;
      ++count;
    } else {
      input_.advance(run.byte_count);
      count += run.count;
      state_ = State::value;
    }
  }
  return count;
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
