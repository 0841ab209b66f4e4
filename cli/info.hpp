// Writes the output of `heapcheck info` for each kind of file: lines of text, each of which ends in a line
// feed, or members of the current JSON object.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/core/output/json_writer.hpp"
#include "heapcheck/types/summary.hpp"

namespace heapcheck::cli {

void append_text(std::string& out, const MvmheapSummary& dump);
void append_text(std::string& out, const TraceSummary& trace);
void append_text(std::string& out, const ProfileSummary& profile);
void append_text(std::string& out, const SnapshotSummary& snapshot);

void write_json(core::JsonWriter& json, const MvmheapSummary& dump);
void write_json(core::JsonWriter& json, const TraceSummary& trace);
void write_json(core::JsonWriter& json, const ProfileSummary& profile);
void write_json(core::JsonWriter& json, const SnapshotSummary& snapshot);

/// Writes a member whose value is a number, a boolean or a string.
template <class Value>
void write_member(core::JsonWriter& json, std::string_view key, const Value& value) {
  json.key(key);
  if constexpr (std::same_as<Value, bool>) {
    json.boolean(value);
  } else if constexpr (std::integral<Value>) {
    json.number(value);
  } else {
    json.string(value);
  }
}

/// Writes members whose values are numbers.
inline void write_numbers(core::JsonWriter& json,
                          std::initializer_list<std::pair<std::string_view, std::uint64_t>> members) {
  for (const auto& [key, value] : members) write_member(json, key, value);
}

/// Writes a member whose value is an array with one object for each row; `write` writes the members of a row.
template <class Row, class Write>
void write_rows(core::JsonWriter& json, std::string_view key, const std::vector<Row>& rows,
                const Write& write) {
  json.key(key);
  json.begin_array();
  for (const Row& row : rows) {
    json.begin_object();
    write(json, row);
    json.end_object();
  }
  json.end_array();
}

}  // namespace heapcheck::cli
