#include "formats/chrome/heaps_v2/writer.hpp"

#include <fmt/format.h>

#include <array>

#include "formats/core/json/grammar.hpp"
#include "formats/core/output/json_writer.hpp"

namespace heapcheck::chrome::heaps_v2 {
namespace {

using core::JsonWriter;

/// The columns, sorted by name.
struct ColumnName {
  HeapColumn column;
  std::string_view name;
};
constexpr std::array column_names{
    ColumnName{HeapColumn::counts, "counts"}, ColumnName{HeapColumn::nodes, "nodes"},
    ColumnName{HeapColumn::sizes, "sizes"}, ColumnName{HeapColumn::types, "types"}};

/// Writes all columns, including empty ones, because Catapult fails on an allocator without columns.
void write_heap(JsonWriter& json, const Heap& heap) {
  json.begin_object(heap.allocator);
  for (const auto& [column, name] : column_names) {
    json.begin_array(name);
    for (const std::uint64_t value : heap[column].values) json.number(value);
    json.end_array();
  }
  json.end_object();
}

void write_allocators(JsonWriter& json, const Dump& dump) {
  if (dump.heaps.empty()) return;
  json.begin_object("allocators");
  for (const Heap& heap : dump.heaps) write_heap(json, heap);
  json.end_object();
}

/// Writes the members that the rows of `types` and `nodes` have in common.
void write_named(JsonWriter& json, const Model& model, const TypeMap& map, std::uint64_t row) {
  json.member("id", map.id[row]);
  if (!map.text.empty() && map.text[row] != no_text) {
    json.member("name", model.strings[map.text[row]]);
  }
  if (map.name_sid[row] == no_id) return;
  json.member("name_sid", map.name_sid[row]);
}

void write_row(JsonWriter& json, const Model& model, const NodeMap& map, std::uint64_t row) {
  write_named(json, model, map, row);
  if (map.parent[row] == no_id) return;
  json.member("parent", map.parent[row]);
}
void write_row(JsonWriter& json, const Model& model, const TypeMap& map, std::uint64_t row) {
  write_named(json, model, map, row);
}
void write_row(JsonWriter& json, const Model& model, const StringMap& map, std::uint64_t row) {
  json.member("id", map.id[row]);
  json.member("string", model.strings[map.text[row]]);
}

template <class RowMap>
void write_map(JsonWriter& json, const Model& model, std::string_view name, const RowMap& map) {
  if (map.id.empty()) return;
  json.begin_array(name);
  for (std::uint64_t row = 0; row < map.id.size(); ++row) {
    json.begin_object();
    write_row(json, model, map, row);
    json.end_object();
  }
  json.end_array();
}

void write_maps(JsonWriter& json, const Model& model, const Dump& dump) {
  if (dump.nodes.id.empty() && dump.strings.id.empty() && dump.types.id.empty()) return;
  json.begin_object("maps");
  write_map(json, model, "nodes", dump.nodes);
  write_map(json, model, "strings", dump.strings);
  write_map(json, model, "types", dump.types);
  json.end_object();
}

void write_heaps_v2(JsonWriter& json, const Model& model, const Dump& dump) {
  json.begin_object();
  write_allocators(json, dump);
  write_maps(json, model, dump);
  json.member("version", dump.version.value_or(1));
  json.end_object();
}

void write_attribute(JsonWriter& json, std::string_view name, std::uint64_t value) {
  json.begin_object(name);
  json.member("type", "scalar");
  json.member("units", "bytes");
  json.member("value", fmt::format("{:x}", value));
  json.end_object();
}

void write_attributes(JsonWriter& json, const std::string& allocator,
                      std::initializer_list<std::string_view> names, std::uint64_t value) {
  json.begin_object(allocator);
  json.begin_object("attrs");
  for (const std::string_view name : names) write_attribute(json, name, value);
  json.end_object();
  json.end_object();
}

void write_totals(JsonWriter& json, const Dump& dump) {
  if (dump.totals.empty()) return;
  json.begin_object("allocators");
  for (const Total& total : dump.totals) {
    write_attributes(json, total.allocator, {"size", "virtual_size"}, total.size);
    if (!total.objects_size) continue;
    write_attributes(json, total.allocator + "/allocated_objects", {"shim_allocated_objects_size"},
                     *total.objects_size);
  }
  json.end_object();
}

void write_args(JsonWriter& json, const Model& model, const Dump& dump) {
  json.begin_object("args");
  json.begin_object("dumps");
  write_totals(json, dump);
  json.key("heaps_v2");
  write_heaps_v2(json, model, dump);
  if (!dump.head.level_of_detail.empty()) json.member("level_of_detail", dump.head.level_of_detail);
  json.end_object();
  json.end_object();
}

/// Returns whether the text is a JSON number.
bool is_number(std::string_view text) {
  const auto lexeme = core::json::number(core::as_bytes(text));
  return lexeme && lexeme->byte_count == text.size();
}

void write_head(JsonWriter& json, const EventHead& head) {
  const auto member = [&json](std::string_view key, std::string_view text) {
    if (!text.empty()) json.member(key, text);
  };
  member("cat", head.category);
  member("id", head.id);
  member("name", head.name);
  member("ph", "v");
  if (head.pid) json.member("pid", *head.pid);
  if (head.tid) json.member("tid", *head.tid);
}

}  // namespace

void append_heaps_v2(const Model& model, const Dump& dump, std::string& out) {
  JsonWriter json(out);
  write_heaps_v2(json, model, dump);
}

void append_event(const Model& model, const Dump& dump, std::string& out) {
  JsonWriter json(out);
  json.begin_object();
  write_args(json, model, dump);
  write_head(json, dump.head);
  if (const std::string& timestamp = dump.head.timestamp; is_number(timestamp)) {
    json.key("ts");
    out += timestamp;  // written with its original digits
  }
  json.end_object();
}

}  // namespace heapcheck::chrome::heaps_v2
