// A fuzz input as a program for a JsonWriter. Each operation takes one byte, and some operations are followed
// by bytes of data. Running the program writes a document and lists the tokens that a reader must return for
// it.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "formats/core/json/reader.hpp"
#include "formats/core/output/json_writer.hpp"
#include "fuzz/support/choices.hpp"

namespace heapcheck::fuzz {

using core::JsonToken;

struct ExpectedToken {
  JsonToken token;
  std::string text = {};
  std::optional<double> real = std::nullopt;
};

/// Runs a program and lists the tokens that reading its output must return.
class JsonProgram {
 public:
  JsonProgram(std::string_view program, std::string& out, core::JsonLayout layout)
      : operations_{program}, writer_(out, layout) {}

  std::vector<ExpectedToken> run() {
    open(operations_.take_byte() % 2 == 0);
    while (!operations_.rest.empty() && !open_.empty()) step(operations_.take_byte());
    while (!open_.empty()) close();
    return std::move(expected_);
  }

 private:
  void open(bool is_object) {
    is_object ? writer_.begin_object() : writer_.begin_array();
    expected_.push_back({is_object ? JsonToken::object_begin : JsonToken::array_begin});
    open_.push_back(is_object);
  }
  void close() {
    open_.back() ? writer_.end_object() : writer_.end_array();
    expected_.push_back({open_.back() ? JsonToken::object_end : JsonToken::array_end});
    open_.pop_back();
  }
  void step(std::uint8_t operation) {
    if (operation % 9 == 0) return close();
    if (open_.back()) {
      const std::string_view name = operations_.take_text();
      writer_.key(name);
      expected_.push_back({JsonToken::key, repair_utf8(name)});
    }
    write_value(operation % 9);
  }
  void write_value(int operation) {
    if (operation <= 2) return open(operation == 1);
    if (operation == 3) {
      const std::string_view text = operations_.take_text();
      writer_.string(text);
      expected_.push_back({JsonToken::string, repair_utf8(text)});
    } else if (operation == 4) {
      write_integer(operations_.take_number<std::uint64_t>());
    } else if (operation == 5) {
      write_integer(operations_.take_number<std::int64_t>());
    } else if (operation == 6) {
      write_real(operations_.take_number<double>());
    } else if (operation == 7) {
      const bool value = operations_.take_byte() % 2 == 0;
      writer_.boolean(value);
      expected_.push_back({value ? JsonToken::literal_true : JsonToken::literal_false});
    } else {
      writer_.null();
      expected_.push_back({JsonToken::literal_null});
    }
  }
  template <class T>
  void write_integer(T value) {
    writer_.number(value);
    expected_.push_back({JsonToken::number, std::to_string(value)});
  }
  void write_real(double value) {
    writer_.number(value);
    if (std::isfinite(value)) {
      expected_.push_back({JsonToken::number, {}, value});
    } else {
      expected_.push_back({JsonToken::literal_null});
    }
  }

  Choices operations_;
  core::JsonWriter writer_;
  std::vector<bool> open_;
  std::vector<ExpectedToken> expected_;
};

}  // namespace heapcheck::fuzz
