#include "formats/core/output/json_writer.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "formats/core/json/leaf.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/core/text/utf8.hpp"

namespace heapcheck::core {
namespace {

/// The letter of the short escape for `code_point`, or 0 if there is none.
char find_short_escape(char32_t code_point) {
  switch (code_point) {
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

/// Appends `\u` and four hexadecimal digits.
void append_unit(char32_t unit, std::string& out) {
  constexpr std::string_view hex = "0123456789abcdef";
  out += "\\u";
  for (const unsigned shift : {12U, 8U, 4U, 0U}) out += hex[(unit >> shift) & 0xF];
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
  if (layout_ != JsonLayout::pretty) return;
  *out_ += '\n';
  out_->append(indent * nesting_.depth(), ' ');
}

void JsonWriter::append_string(std::string_view value) {
  *out_ += '"';
  if (layout_ == JsonLayout::compact) {
    append_required(value);
  } else {
    append_harmless(value);
  }
  *out_ += '"';
}

void JsonWriter::append_required(std::string_view value) {
  ByteSpan rest = as_bytes(value);
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
}

void JsonWriter::append_harmless(std::string_view value) {
  while (!value.empty()) {
    const std::size_t harmless = value[0] == '"' || value[0] == '\\' ? 0 : count_harmless(value);
    const auto character = decode_utf8(as_bytes(value));
    if (harmless != 0) {
      *out_ += value.substr(0, harmless);
    } else if (character) {
      append_escaped(character->code_point);
    } else {
      encode_utf8(replacement_character, *out_);
    }
    value.remove_prefix(character ? character->byte_count : 1);
  }
}

void JsonWriter::append_escaped(char32_t code_point) {
  constexpr char32_t first_pair = 0x10000;
  if (const char letter = find_short_escape(code_point); letter != 0) {
    *out_ += '\\';
    *out_ += letter;
  } else if (code_point < first_pair) {
    append_unit(code_point, *out_);
  } else {
    append_unit(0xD800 + ((code_point - first_pair) >> 10), *out_);
    append_unit(0xDC00 + ((code_point - first_pair) & 0x3FF), *out_);
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
