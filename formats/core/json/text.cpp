#include "formats/core/json/text.hpp"

#include "formats/core/json/grammar.hpp"
#include "formats/core/text/utf8.hpp"

namespace heapcheck::core::json {
namespace {

bool is_digit(std::uint8_t byte) { return byte >= '0' && byte <= '9'; }

bool is_hex_digit(std::uint8_t byte) {
  return is_digit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

/// Returns whether `byte`, directly after the text of a number, means that the text continues or is
/// malformed.
bool continues_number(std::uint8_t byte) {
  return is_digit(byte) || byte == '.' || byte == 'e' || byte == 'E';
}

bool is_high_surrogate(char16_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool is_low_surrogate(char16_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

}  // namespace

JsonError make_error(const Input& input, JsonErrorKind kind, std::string_view expected) {
  const bool ended = input.available() == 0;
  const std::string found = ended ? "unexpected end of input" : "found " + describe_byte(input.front());
  return {input.offset(), ended ? JsonErrorKind::truncated : kind,
          found + ", expected " + std::string(expected)};
}

// If the window contains a number completely, the grammar handles it. A longer or malformed number is read
// part by part, which also finds the wrong byte.
bool TextReader::read_number() {
  auto lexeme = number(input_->bytes());
  if (!lexeme || lexeme->byte_count == input_->available()) {
    input_->want(max_number + 1);
    lexeme = number(input_->bytes());
  }
  const bool whole = lexeme && lexeme->byte_count < input_->available() &&
                     !continues_number(input_->data()[lexeme->byte_count]);
  if (!whole) return walk_number();
  const std::size_t kept = std::min(lexeme->byte_count, max_number);
  truncated_ = kept < lexeme->byte_count;
  integral_ = lexeme->integral;
  text_ = as_text(input_->bytes().first(kept));
  input_->advance(lexeme->byte_count);
  return true;
}

bool TextReader::walk_number() {
  buffer_.clear();
  walk_any_of("-");
  if (!walk_any_of("0")) {
    if (!walk_digits()) return false;
  } else if (input_->need(1) && is_digit(input_->front())) {
    return fail(JsonErrorKind::number, "no digit after a leading 0");
  }
  const bool has_fraction = walk_any_of(".");
  if (has_fraction && !walk_digits()) return false;
  const bool has_exponent = walk_any_of("eE");
  if (has_exponent) {
    walk_any_of("+-");
    if (!walk_digits()) return false;
  }
  integral_ = !has_fraction && !has_exponent;
  text_ = buffer_;
  return true;
}

bool TextReader::walk_digits() {
  if (!input_->need(1) || !is_digit(input_->front())) {
    return fail(JsonErrorKind::number, "a digit");
  }
  while (input_->need(1)) {
    const std::size_t count = count_digits(input_->bytes());
    if (count == 0) break;
    append_number(input_->bytes().first(count));
    input_->advance(count);
  }
  return true;
}

/// Takes the next byte if it is one of `bytes`.
bool TextReader::walk_any_of(std::string_view bytes) {
  if (!input_->need(1)) return false;
  if (bytes.find(static_cast<char>(input_->front())) == std::string_view::npos) return false;
  append_number(input_->bytes().first(1));
  input_->advance(1);
  return true;
}

void TextReader::append_number(ByteSpan bytes) {
  const std::size_t kept = std::min(bytes.size(), max_number - buffer_.size());
  truncated_ = truncated_ || kept < bytes.size();
  buffer_.append(as_text(bytes.first(kept)));
}

bool TextReader::read_any_string() {
  const std::uint64_t offset = input_->offset();
  input_->advance(1);
  const StringRun run = scan_string_run(input_->bytes());
  const ByteSpan bytes = input_->bytes().first(run.byte_count);
  const bool ends = run.byte_count < input_->available() && input_->data()[run.byte_count] == '"';
  // Most strings have no escapes and end within the visible bytes, so they do not have to be copied.
  if (ends && (run.ascii || !options_.strict_utf8 || !find_invalid_utf8(bytes))) {
    text_ = as_text(cut(bytes, options_.max_text));
    input_->advance(run.byte_count + 1);
  } else {
    buffer_.clear();
    if (!walk_string()) return false;
    text_ = buffer_;
  }
  if (truncated_ && options_.long_text_is_error) {
    error_ = {offset, JsonErrorKind::text_limit,
              "string is longer than the limit of " + std::to_string(options_.max_text) + " bytes"};
    return false;
  }
  return true;
}

bool TextReader::walk_string() {
  for (;;) {
    if (!walk_run()) return false;
    const std::uint8_t byte = input_->front();
    if (byte == '"') break;
    if (byte != '\\')
      return fail(JsonErrorKind::control_character, "control characters in a string to be escaped");
    if (!walk_escape()) return false;
  }
  input_->advance(1);
  return true;
}

/// Takes plain bytes up to a quote, a backslash or a control character. A UTF-8 sequence at the end of the
/// window is left until the rest of it is visible.
bool TextReader::walk_run() {
  for (std::size_t waiting = 0; input_->need(waiting + 1);) {
    const StringRun run = scan_string_run(input_->bytes());
    const bool goes_on = run.byte_count == input_->available();
    ByteSpan bytes = input_->bytes().first(run.byte_count);
    waiting = goes_on && !run.ascii ? find_cut_utf8(bytes) : 0;
    bytes = bytes.first(bytes.size() - waiting);
    const auto bad = run.ascii || !options_.strict_utf8 ? std::nullopt : find_invalid_utf8(bytes);
    if (bad) {
      input_->advance(*bad);
      return fail(JsonErrorKind::utf8, "valid UTF-8 in a string");
    }
    append_string(bytes);
    input_->advance(bytes.size());
    if (!goes_on) return true;
  }
  input_->advance(input_->available());
  return fail(JsonErrorKind::truncated, "'\"' at the end of a string");
}

bool TextReader::walk_escape() {
  constexpr std::size_t longest_pair = 12;
  input_->want(longest_pair);
  const auto first = escape(input_->bytes());
  if (!first) return fail_escape();
  input_->advance(first->byte_count);
  char32_t code_point = first->code_unit;
  if (is_high_surrogate(first->code_unit)) {
    const auto second = escape(input_->bytes());
    if (second && is_low_surrogate(second->code_unit)) {
      input_->advance(second->byte_count);
      code_point = 0x10000 + ((code_point - 0xD800) << 10) + (second->code_unit - 0xDC00U);
    }
  }
  append_code_point(code_point);
  return true;
}

bool TextReader::fail_escape() {
  input_->advance(1);
  if (input_->available() == 0 || input_->front() != 'u') {
    return fail(JsonErrorKind::escape, "one of \"\\/bfnrtu after a backslash");
  }
  input_->advance(1);
  while (input_->available() != 0 && is_hex_digit(input_->front())) input_->advance(1);
  return fail(JsonErrorKind::escape, "four hexadecimal digits after \\u");
}

void TextReader::append_code_point(char32_t code_point) {
  const bool is_surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  lone_surrogate_ = lone_surrogate_ || is_surrogate;
  std::string bytes;
  if (is_surrogate && options_.keep_lone_surrogates) {
    bytes = {static_cast<char>(0xED), static_cast<char>(0x80U | (code_point >> 6 & 0x3FU)),
             static_cast<char>(0x80U | (code_point & 0x3FU))};
  } else {
    encode_utf8(code_point, bytes);
  }
  append_string(as_bytes(bytes));
}

void TextReader::append_string(ByteSpan bytes) {
  buffer_.append(as_text(cut(bytes, options_.max_text - buffer_.size())));
}

/// The part of the next decoded bytes that is kept if there is room for `room` bytes. This part never ends
/// inside a character.
ByteSpan TextReader::cut(ByteSpan bytes, std::size_t room) {
  if (!keep_ || truncated_) return {};
  if (bytes.size() <= room) return bytes;
  truncated_ = true;
  while (options_.strict_utf8 && room > 0 && (bytes[room] & 0xC0U) == 0x80) --room;
  return bytes.first(room);
}

bool TextReader::fail(JsonErrorKind kind, std::string_view expected) {
  error_ = make_error(*input_, kind, expected);
  return false;
}

}  // namespace heapcheck::core::json
