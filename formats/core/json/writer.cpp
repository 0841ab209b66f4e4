#include "formats/core/json/writer.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "formats/core/json/leaf.hpp"
#include "formats/core/utf8.hpp"

namespace heapcheck::core {
namespace {

/// The letter of the short escape for `byte`, or 0.
char find_short_escape(std::uint8_t byte) {
  switch (byte) {
    case '"':
      return '"';
    case '\\':
      return '\\';
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    default:
      return 0;
  }
}

void append_repaired(ByteSpan bytes, std::string& out) {
  for (;;) {
    const std::size_t good = find_invalid_utf8(bytes).value_or(bytes.size());
    out += as_text(bytes.first(good));
    if (good == bytes.size()) return;
    encode_utf8(replacement_character, out);
    bytes = bytes.subspan(good + 1);
  }
}

}  // namespace

void JsonWriter::key(std::string_view name) {
  begin_item();
  append_string(name);
  *out_ += layout_ == JsonLayout::pretty ? ": " : ":";
  after_key_ = true;
}

void JsonWriter::string(std::string_view value) {
  begin_value();
  append_string(value);
}

void JsonWriter::number(std::uint64_t value) { append_number(value); }
void JsonWriter::number(std::int64_t value) { append_number(value); }

void JsonWriter::number(double value) {
  if (std::isfinite(value)) {
    append_number(value);
  } else {
    null();
  }
}

void JsonWriter::boolean(bool value) {
  begin_value();
  *out_ += value ? "true" : "false";
}

void JsonWriter::null() {
  begin_value();
  *out_ += "null";
}

void JsonWriter::open(char bracket, bool is_object) {
  begin_value();
  *out_ += bracket;
  nesting_.push(is_object);
  empty_ = true;
}

void JsonWriter::close(char bracket) {
  nesting_.pop();
  if (!empty_) break_line();
  *out_ += bracket;
  empty_ = false;
}

void JsonWriter::begin_value() {
  if (after_key_) {
    after_key_ = false;
  } else if (nesting_.depth() != 0) {
    begin_item();
  }
}

void JsonWriter::begin_item() {
  if (!empty_) *out_ += ',';
  break_line();
  empty_ = false;
}

void JsonWriter::break_line() {
  constexpr std::size_t indent = 2;
  if (layout_ == JsonLayout::compact) return;
  *out_ += '\n';
  out_->append(indent * nesting_.depth(), ' ');
}

void JsonWriter::append_string(std::string_view value) {
  ByteSpan rest = as_bytes(value);
  *out_ += '"';
  while (!rest.empty()) {
    const json::StringRun run = json::scan_string_run(rest);
    if (run.ascii) {
      *out_ += as_text(rest.first(run.byte_count));
    } else {
      append_repaired(rest.first(run.byte_count), *out_);
    }
    rest = rest.subspan(run.byte_count);
    if (rest.empty()) break;
    append_escaped(rest[0]);
    rest = rest.subspan(1);
  }
  *out_ += '"';
}

void JsonWriter::append_escaped(std::uint8_t byte) {
  constexpr std::string_view hex = "0123456789abcdef";
  *out_ += '\\';
  if (const char letter = find_short_escape(byte); letter != 0) {
    *out_ += letter;
  } else {
    *out_ += "u00";
    *out_ += hex[byte >> 4];
    *out_ += hex[byte & 0xF];
  }
}

template <class T>
void JsonWriter::append_number(T value) {
  constexpr std::size_t longest = 32;
  std::array<char, longest> text;
  begin_value();
  out_->append(text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr);
}

}  // namespace heapcheck::core
