// The text of one string or number in a JSON document, which is read from an Input and may have any length.
// Strings are decoded. The whole text is checked, but only the requested number of bytes is kept. Text that
// the window contains in its final form is not copied.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "formats/core/json/input.hpp"
#include "formats/core/json/leaf.hpp"
#include "formats/core/json/token.hpp"

namespace heapcheck::core {

struct JsonOptions {
  /// If true, a string must be UTF-8; if false, its bytes are returned unchanged.
  bool strict_utf8 = true;
  /// How many bytes of a decoded string to keep. A longer string is truncated, but still checked to its end.
  std::size_t max_text = std::size_t{1} << 20;
  /// If true, a string longer than max_text is a text_limit error instead.
  bool long_text_is_error = false;
  /// If true, an escaped surrogate without its other half is kept as the three bytes that UTF-8 would use; if
  /// false, it becomes U+FFFD.
  bool keep_lone_surrogates = false;
};

namespace json {

class TextReader {
 public:
  /// How many bytes of a number to keep.
  static constexpr std::size_t max_number = 4096;

  TextReader(Input& input, const JsonOptions& options) : input_(&input), options_(options) {}

  /// Clears the text.
  void clear() {
    text_ = {};
    truncated_ = false;
    lone_surrogate_ = false;
    integral_ = false;
  }
  /// Sets the maximum length of later strings, in bytes.
  void set_max_text(std::size_t byte_count) { options_.max_text = byte_count; }
  /// Sets whether later strings are kept or only checked.
  void keep_strings(bool keep) { keep_ = keep; }

  /// Reads the string that begins at the input's next byte, which is a quote. Returns false if there is an
  /// error; see error().
  bool read_string() { return read_short_string() || read_any_string(); }
  /// Reads the number that begins at the input's next byte, which is a digit or a minus sign. Returns false
  /// if there is an error; see error().
  bool read_number();
  [[nodiscard]] const JsonError& error() const { return error_; }

  /// The text. Valid until the input advances.
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] bool truncated() const { return truncated_; }
  [[nodiscard]] bool lone_surrogate() const { return lone_surrogate_; }
  [[nodiscard]] bool integral() const { return integral_; }

 private:
  bool walk_number();
  bool walk_digits();
  bool walk_any_of(std::string_view bytes);
  void append_number(ByteSpan bytes);

  bool read_short_string();
  bool read_any_string();
  bool walk_string();
  bool walk_run();
  bool walk_escape();
  bool fail_escape();
  void append_code_point(char32_t code_point);
  void append_string(ByteSpan bytes);
  ByteSpan cut(ByteSpan bytes, std::size_t room);
  bool fail(JsonErrorKind kind, std::string_view expected);

  Input* input_;
  JsonOptions options_;
  bool keep_ = true;
  bool truncated_ = false;
  bool lone_surrogate_ = false;
  bool integral_ = false;
  std::string_view text_;
  std::string buffer_;
  JsonError error_;
};

/// The error for the next byte of the input, where `expected` was expected. Its kind is `kind`, or
/// `truncated` at the end of the input.
[[nodiscard]] JsonError make_error(const Input& input, JsonErrorKind kind, std::string_view expected);

/// Reads the string if it has the common form and is far enough from the end of the visible bytes.
inline bool TextReader::read_short_string() {
  constexpr std::size_t longest = 2 * plain_reach;
  if (input_->available() <= longest + plain_reach || options_.max_text < longest) return false;
  const std::uint8_t* const first = input_->data() + 1;
  std::size_t length = 0;
  std::size_t step = plain_reach;
  while (step == plain_reach && length < longest) {
    step = count_plain(first + length);
    length += step;
  }
  if (length > longest || first[length] != '"') return false;
  text_ = as_text({first, length});
  input_->advance(length + 2);
  return true;
}

}  // namespace json
}  // namespace heapcheck::core
