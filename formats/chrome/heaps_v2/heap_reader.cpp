#include "formats/chrome/heaps_v2/context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "formats/chrome/heaps_v2/faults.hpp"

namespace heapcheck::chrome::heaps_v2 {
namespace {

using core::JsonPath;
using core::JsonToken;

/// The name of a member, and the column to which its value belongs.
struct Name {
  std::string_view text;
  HeapColumn column;
  bool is_usual = true;
};
constexpr std::array array_names{
    Name{"nodes", HeapColumn::nodes},           Name{"types", HeapColumn::types},
    Name{"counts", HeapColumn::counts},         Name{"sizes", HeapColumn::sizes},
    Name{"objects", HeapColumn::counts, false}, Name{"bytes", HeapColumn::sizes, false}};
constexpr std::array field_names{Name{"node", HeapColumn::nodes},   Name{"node_id", HeapColumn::nodes},
                                 Name{"type", HeapColumn::types},   Name{"type_id", HeapColumn::types},
                                 Name{"count", HeapColumn::counts}, Name{"objects", HeapColumn::counts},
                                 Name{"size", HeapColumn::sizes},   Name{"bytes", HeapColumn::sizes}};
/// Arrays other than `nodes` that may contain row objects.
constexpr std::array<std::string_view, 2> row_arrays{"allocations", "items"};

/// The memory for one value in bytes, including the space that a growing column reserves.
constexpr std::uint64_t value_bytes = 16;

const Name* find_name(std::span<const Name> names, std::string_view text) {
  const auto found = std::ranges::find(names, text, &Name::text);
  return found == names.end() ? nullptr : &*found;
}

/// Reads the row objects of an array, starting after the opening brace of the first object.
void read_rows(const Context& context, std::string_view prefix, std::string_view key, Heap& heap) {
  core::JsonReader& json = context.json;
  const std::string rows_prefix = fmt::format("{}/{}", prefix, key);
  heap.rows = key;
  context.report(rules::rows_objects, json.span(), {rows_prefix},
                 "found an object for each row, expected columns");
  for (JsonToken token = json.token(); token != JsonToken::array_end && token != JsonToken::error;
       token = json.next()) {
    JsonPath path{rows_prefix, heap[HeapColumn::nodes].values.size()};
    const std::uint64_t offset = json.span().offset;
    if (token != JsonToken::object_begin) {
      context.refuse_type(JsonToken::object_begin, path);
      heap.is_whole = false;
      continue;
    }
    std::array<std::optional<std::uint64_t>, column_count> row;
    while (json.next() == JsonToken::key) {
      const Name* name = find_name(field_names, json.text());
      if (name == nullptr) {
        json.skip_value();
        continue;
      }
      path.member = name->text;
      auto& value = row[static_cast<std::size_t>(name->column)];
      if (value) {
        context.refuse_repeated(path);
        continue;
      }
      json.next();
      value = context.take_integer(path);
      heap.is_whole = heap.is_whole && value.has_value();
    }
    if (json.token() == JsonToken::error || !context.take_memory(column_count * value_bytes, path)) break;
    // The values that Cobalt's tools assume if members are missing.
    constexpr std::array<std::uint64_t, column_count> defaults{0, 0, 1, 0};
    for (std::size_t i = 0; i < column_count; ++i) {
      NumberColumn& column = heap.columns[i];
      column.is_present = true;
      column.runs.add(column.values.size(), {offset, json.span().end() - offset});
      column.values.push_back(row[i].value_or(defaults[i]));
    }
  }
  if (json.token() != JsonToken::array_end && json.token() != JsonToken::error) json.skip_rest();
}

/// Reads an element that is not a plain integer, such as -1, which Chrome wrote as the node of the empty
/// stack.
void read_element(const Context& context, const JsonPath& path, HeapColumn which, Heap& heap) {
  core::JsonReader& json = context.json;
  NumberColumn& column = heap[which];
  column.runs.add(column.values.size(), json.span());
  if (which == HeapColumn::nodes && json.token() == JsonToken::number && json.as_signed() == -1) {
    column.values.push_back(no_id);
    return;
  }
  const auto value = context.take_integer(path);
  heap.is_whole = heap.is_whole && value.has_value();
  column.values.push_back(value.value_or(0));
}

/// Reads the elements of a column after its opening bracket, up to the end of the column.
void read_elements(const Context& context, std::string_view prefix, std::string_view key, HeapColumn which,
                   Heap& heap) {
  core::JsonReader& json = context.json;
  NumberColumn& column = heap[which];
  const std::string column_prefix = fmt::format("{}/{}", prefix, key);
  for (;;) {
    const JsonPath path{column_prefix, column.values.size()};
    // Memory is reserved before the values are read, so that a column cannot outgrow the limit.
    if (!context.take_memory(Runs::run_rows * value_bytes, {column_prefix})) break;
    const std::size_t count = json.read_unsigned_array(column.values, Runs::run_rows);
    if (count != 0) column.runs.add(path.row, json.span());
    if (count == Runs::run_rows) continue;
    const JsonToken token = json.next();
    if (token == JsonToken::array_end || token == JsonToken::error) return;
    if (token == JsonToken::object_begin && which == HeapColumn::nodes && column.values.empty()) {
      return read_rows(context, prefix, key, heap);
    }
    read_element(context, {column_prefix, column.values.size()}, which, heap);
  }
  json.skip_rest();
}

void read_column(const Context& context, std::string_view prefix, const Name& name, Heap& heap) {
  NumberColumn& column = heap[name.column];
  const bool is_first = heap[HeapColumn::counts].name != "objects" && heap[HeapColumn::sizes].name != "bytes";
  column.name = name.text;
  if (!name.is_usual && is_first) {
    context.report(rules::columns_renamed, context.json.span(), {prefix, JsonPath::no_row, name.text},
                   fmt::format("found `{}`, expected `{}`", name.text,
                               name.column == HeapColumn::counts ? "counts" : "sizes"));
  }
  if (!context.enter(JsonToken::array_begin, {prefix, JsonPath::no_row, name.text})) {
    heap.is_whole = false;
    return;
  }
  column.is_present = true;
  const std::uint64_t offset = context.json.span().offset;
  read_elements(context, prefix, name.text, name.column, heap);
  column.values.shrink_to_fit();
  column.span = {offset, context.json.span().end() - offset};
}

/// Reads an array of row objects that is not named after a column.
void read_row_array(const Context& context, std::string_view prefix, std::string_view key, Heap& heap) {
  if (context.json.next() != JsonToken::array_begin) {
    return context.skip_nested();
  }
  const JsonToken first = context.json.next();
  if (first == JsonToken::object_begin) return read_rows(context, prefix, key, heap);
  if (first == JsonToken::array_end || first == JsonToken::error) return;
  context.skip_nested();
  context.json.skip_rest();
}

}  // namespace

void read_heap(const Context& context, std::string_view prefix, Heap& heap) {
  core::JsonReader& json = context.json;
  while (json.next() == JsonToken::key) {
    const Name* name = find_name(array_names, json.text());
    if (name != nullptr) {
      if (heap[name->column].is_present) {
        context.refuse_repeated({prefix, JsonPath::no_row, name->text});
      } else {
        read_column(context, prefix, *name, heap);
      }
      continue;
    }
    const auto rows = std::ranges::find(row_arrays, json.text());
    if (rows == row_arrays.end() || heap[HeapColumn::nodes].is_present) {
      json.skip_value();
    } else {
      read_row_array(context, prefix, *rows, heap);
    }
  }
}

}  // namespace heapcheck::chrome::heaps_v2
