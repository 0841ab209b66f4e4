// Writes JSON (RFC 8259) by appending to a caller's string, indented or compact. Values are passed in
// document order, and the caller opens and closes arrays and objects. The output is always valid UTF-8; bytes
// of a string that are not UTF-8 become U+FFFD. Borrows the caller's string, and keeps one bit per open array
// or object.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "formats/core/json/state.hpp"

namespace heapcheck::core {

enum class JsonLayout {
  compact,  ///< for files: no white space, and escapes only where JSON requires them
  /// For reports: one element or member per line, two spaces per level, and escapes for all characters that
  /// could affect how the report is displayed (see count_harmless()).
  pretty,
  line,  ///< for reports with one document on each line: no white space, and the escapes of `pretty`
};

class JsonWriter {
 public:
  explicit JsonWriter(std::string& out, JsonLayout layout = JsonLayout::compact)
      : out_(&out), layout_(layout) {}

  void begin_object() { open('{', true); }
  void end_object() { close('}'); }
  void begin_array() { open('[', false); }
  void end_array() { close(']'); }

  /// Writes the name of the next member. Exactly one value must follow.
  void key(std::string_view name);
  void string(std::string_view value);
  void number(std::uint64_t value);
  void number(std::int64_t value);
  /// Writes the shortest number that is read back as `value`, or null for infinities and NaN, which JSON
  /// cannot represent.
  void number(double value);
  void boolean(bool value);
  void null();

  /// Writes a complete member, or the key of a member and the bracket that opens its value.
  void member(std::string_view name, std::string_view value) {
    key(name);
    string(value);
  }
  template <class T>
    requires std::is_arithmetic_v<T>
  void member(std::string_view name, T value) {
    key(name);
    if constexpr (std::is_same_v<T, bool>) {
      boolean(value);
    } else {
      number(value);
    }
  }
  void begin_object(std::string_view name) {
    key(name);
    begin_object();
  }
  void begin_array(std::string_view name) {
    key(name);
    begin_array();
  }

 private:
  void open(char bracket, bool is_object);
  void close(char bracket);
  void begin_value();
  void begin_item();
  void break_line();
  void append_string(std::string_view value);
  void append_required(std::string_view value);
  void append_harmless(std::string_view value);
  void append_escaped(char32_t code_point);
  template <class T>
  void append_number(T value);

  std::string* out_;
  JsonLayout layout_;
  json::Nesting nesting_;
  bool empty_ = true;       // whether nothing has been written to the innermost array or object yet
  bool after_key_ = false;  // whether the next value belongs to the key just written
};

/// Writes a member whose value is an array with one object for each row; `write` writes the members of a row.
template <class Rows, class Write>
void write_rows(JsonWriter& json, std::string_view key, const Rows& rows, const Write& write) {
  json.begin_array(key);
  for (const auto& row : rows) {
    json.begin_object();
    write(json, row);
    json.end_object();
  }
  json.end_array();
}

}  // namespace heapcheck::core
