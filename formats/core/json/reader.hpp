// An iterative pull reader for JSON (RFC 8259) in a Window. It reads one token per call, and handles
// documents, strings and numbers of any size and any nesting depth. Lexemes are read by json/grammar.hpp, and
// bulk data by json/leaf.hpp. Keeps one bit per open array or object, and the text of one token if the window
// does not contain all of it. Borrows the window. Malformed input is reported as a JsonError.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "formats/core/bytes.hpp"
#include "formats/core/json/input.hpp"
#include "formats/core/json/state.hpp"
#include "formats/core/json/text.hpp"
#include "formats/core/json/token.hpp"
#include "formats/core/window.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::core {

/// Strings of up to Limits::max_json_text bytes are kept; a longer string is an error unless it is skipped.
[[nodiscard]] inline JsonOptions make_json_options(const Limits& limits) {
  return {.max_text = static_cast<std::size_t>(limits.max_json_text), .long_text_is_error = true};
}

class JsonReader {
 public:
  /// The number of bytes of a number that are kept as text. A longer number has a span but no value.
  static constexpr std::size_t max_number_text = json::TextReader::max_number;

  /// Starts at the window's position. The window's capacity must be at least 64. The reader works ahead of
  /// the window, so nothing else may use the window until `end`, `error` or release().
  explicit JsonReader(Window& window, const Limits& limits, const JsonOptions& options = {});
  JsonReader(const JsonReader&) = delete;
  JsonReader& operator=(const JsonReader&) = delete;
  ~JsonReader() = default;

  /// Moves the window to just after the current token, so that another reader can continue there. The next
  /// call continues from wherever the window is then. text() becomes invalid when the window moves.
  void release();

  /// Returns the next token. It remains `error` after an error, and `end` after the document's value.
  JsonToken next();

  /// Skips the next value, checking its grammar but keeping none of it, and returns its first token; span()
  /// covers the whole value. If no value comes next because the array or object ends or a key follows, does
  /// the same as next().
  JsonToken skip_value();

  /// Skips the rest of the innermost open array or object, including its end, which becomes the current
  /// token.
  JsonToken skip_rest();

  /// Call this inside an array, at its start or after an element. Appends up to `max_count` elements, as long
  /// as they are plain integers from 0 to 2^64 - 1, and returns their number; span() covers them. next() then
  /// continues with the next element, the end of the array, or the error.
  std::size_t read_unsigned_array(std::vector<std::uint64_t>& out, std::size_t max_count);

  /// Call this inside an array, at its start or after an element. Returns the visible bytes from the next
  /// element on, which are at least 1 KiB unless the window or the input is smaller; span() covers them. For
  /// leaf parsers, which may request `ahead` bytes even if they need fewer.
  ByteSpan peek_elements(std::size_t ahead = 0);
  /// Skips the first `byte_count` of these bytes, which must be well-formed elements, each with its comma.
  void take_elements(std::size_t byte_count);
  /// Call this inside an object, after a member or key. Returns the visible bytes, as above, from there on.
  ByteSpan peek_members(std::size_t ahead = 0);
  /// Skips the first `byte_count` of these bytes. They must be either members, each with the comma before it,
  /// or `:` and a value.
  void take_members(std::size_t byte_count);
  /// Call this inside an array, at its start or after an element. Skips elements, checking their grammar, as
  /// long as they are objects in which no string or key is one of `letters` or equal to `word`. Returns their
  /// number; span() covers them, and does not change if there are none. May stop early.
  std::size_t skip_objects_without(std::string_view letters, std::string_view word = {});

  /// Skips white space, for example after `end`. Returns whether a byte follows.
  bool skip_whitespace();

  /// The current string or key in decoded form, or the current number as written; empty for other tokens.
  /// Valid until the next call that reads. The text is truncated if truncated_text() is true.
  [[nodiscard]] std::string_view text() const { return text_.text(); }
  void set_max_text(std::size_t byte_count) { text_.set_max_text(byte_count); }
  [[nodiscard]] bool truncated_text() const { return text_.truncated(); }
  /// Returns whether the current string had an escaped surrogate without its other half. Such a surrogate is
  /// replaced by U+FFFD.
  [[nodiscard]] bool lone_surrogate() const { return text_.lone_surrogate(); }

  /// The place of the current token in the input, including quotes.
  [[nodiscard]] Span span() const { return span_; }
  /// The number of open arrays and objects.
  [[nodiscard]] std::size_t depth() const { return nesting_.depth(); }

  /// The current token, as returned by the last reading call.
  [[nodiscard]] JsonToken token() const { return token_; }

  /// Returns whether the current number has neither a fraction nor an exponent.
  [[nodiscard]] bool is_integer() const { return text_.integral(); }
  /// The current number, if is_integer() is true and the number fits in the type; `-0` is not unsigned.
  [[nodiscard]] std::optional<std::uint64_t> as_unsigned() const;
  [[nodiscard]] std::optional<std::int64_t> as_signed() const;
  /// The double nearest to the current number; empty if that double is infinite, or if it is zero although
  /// the number is not.
  [[nodiscard]] std::optional<double> as_double() const;

  /// The error that ended reading, if there was one.
  [[nodiscard]] const std::optional<JsonError>& error() const { return error_; }

 private:
  using State = json::State;

  JsonToken advance();
  JsonToken advance_to_depth(std::size_t depth);
  bool skip_to_depth(std::size_t depth);
  JsonToken read_value();
  JsonToken read_first_element();
  JsonToken read_first_key();
  JsonToken read_key();
  JsonToken read_after_key();
  JsonToken read_after_value();
  JsonToken read_literal();
  JsonToken open(bool is_object);
  JsonToken close();
  JsonToken read_number();
  JsonToken read_string(JsonToken token);

  [[nodiscard]] bool value_may_follow() const;
  bool to_element();
  ByteSpan show_sight();
  void take_comma();
  bool take_element(std::uint64_t& value);
  std::size_t take_batch(std::span<std::uint64_t> values);

  bool to_byte(std::string_view expected);
  JsonToken finish(JsonToken token);
  JsonToken fail(JsonError error);
  JsonToken fail_here(std::string_view expected);

  json::Input input_;
  json::TextReader text_;
  std::uint64_t max_depth_;
  bool strict_utf8_;
  json::Nesting nesting_;
  State state_ = State::value;
  JsonToken token_ = JsonToken::error;
  Span span_;
  std::optional<JsonError> error_;
};

}  // namespace heapcheck::core
