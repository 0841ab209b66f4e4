#include "formats/v8/heapsnapshot/writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <concepts>
#include <span>
#include <string>

#include "formats/core/output/json_writer.hpp"

namespace heapcheck::v8::heapsnapshot {
namespace {

template <class Names>
void write_names(core::JsonWriter& json, const Names& names) {
  json.begin_array();
  for (const std::string_view name : names) json.string(name);
  json.end_array();
}

void write_types(core::JsonWriter& json, std::string_view key,
                 const std::optional<std::vector<FieldType>>& types) {
  if (!types) return;
  json.begin_array(key);
  for (const FieldType& type : *types) {
    if (type.is_list) {
      write_names(json, type.names);
    } else {
      json.string(type.names[0]);
    }
  }
  json.end_array();
}

/// The types of nodes, as in the file.
std::optional<std::vector<FieldType>> find_node_types(const Schema& schema) {
  auto types = schema.node_types;
  const auto column = schema.find_field(Section::nodes, "type");
  if (schema.omits_symbol) (*types)[*column].names.pop_back();
  return types;
}

void write_schema(core::JsonWriter& json, const Schema& schema) {
  json.begin_object("meta");
  for (std::size_t i = 0; i < section_count; ++i) {
    if (schema.fields[i]) {
      json.key(sections[i].fields);
      if (i == index_of(Section::trace_tree)) {
        write_names(json, tree_fields);  // regardless of which columns the file had
      } else {
        write_names(json, *schema.fields[i]);
      }
    }
    if (i == index_of(Section::nodes)) write_types(json, "node_types", find_node_types(schema));
    if (i == index_of(Section::edges)) write_types(json, "edge_types", schema.edge_types);
  }
  json.end_object();
}

std::string make_header(const Snapshot& snapshot) {
  std::string text = "{\"snapshot\":";
  core::JsonWriter json(text);
  json.begin_object();
  if (snapshot.schema.is_present) write_schema(json, snapshot.schema);
  for (const HeaderMember& count : header_members) {
    const auto& number = snapshot.header.*(count.number);
    if (number) json.member(count.name, number->value);
  }
  json.end_object();
  return text;
}

class SnapshotWriter {
 public:
  SnapshotWriter(const Snapshot& snapshot, core::ByteSink& out) : snapshot_(&snapshot), out_(&out) {}

  Result<void> write() {
    text_ = make_header(*snapshot_);
    for (std::size_t i = 0; i < section_count; ++i) {
      if (snapshot_->has(static_cast<Section>(i))) write_section(static_cast<Section>(i));
    }
    text_ += '}';
    flush();
    return result_;
  }

 private:
  void write_section(Section section) {
    text_ += ",\n\"";
    text_ += name_of(section);
    text_ += "\":[";
    if (section == Section::strings) {
      write_strings(snapshot_->strings.table);
    } else if (section == Section::trace_tree) {
      write_tree(snapshot_->trace_tree);
    } else {
      write_table(snapshot_->table(section));
    }
    text_ += ']';
  }

  void write_table(const Table& table) {
    const std::uint64_t row_count = table.row_count();
    std::vector<std::uint64_t> values;  // the values of a chunk, column by column
    for (std::uint64_t first = 0; first < row_count; first += chunk_rows) {
      const auto rows = static_cast<std::size_t>(std::min(chunk_rows, row_count - first));
      values.resize(rows * table.columns.size());
      for (std::size_t i = 0; i < table.columns.size(); ++i)
        table.columns[i].decode_chunk(first / chunk_rows, std::span(values).subspan(i * rows, rows));
      for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t i = 0; i < table.columns.size(); ++i) put(table, i, values[i * rows + row]);
        if (!snapshot_->has_record_lines) continue;
        text_.back() = '\n';
        text_ += ',';
      }
      drain();
    }
    if (row_count != 0) text_.pop_back();  // the last comma
  }

  void write_strings(const StringTable& strings) {
    for (std::uint64_t i = 0; i < strings.count(); ++i) {
      if (i != 0) text_ += snapshot_->has_record_lines ? ",\n" : ",";
      text_ += '"';
      text_ += strings[i];
      text_ += '"';
      drain();
    }
  }

  /// Nodes are in the order in which they are written. The parent of the next node determines how many lists
  /// end before that node.
  void write_tree(const TraceTree& tree) {
    std::uint32_t open = TraceTree::no_parent;
    for (std::size_t node = 0; node < tree.id.size(); ++node) {
      for (; open != tree.parent[node]; open = tree.parent[open]) text_ += ']';
      if (node != 0 && tree.parent[node] + std::size_t{1} != node) text_ += ',';
      for (const TreeColumn column : tree_columns) put((tree.*column)[node]);
      text_ += '[';
      open = static_cast<std::uint32_t>(node);
      drain();
    }
    for (; open != TraceTree::no_parent; open = tree.parent[open]) {
      text_ += ']';
      drain();
    }
  }

  /// Appends a value from a column, which may be negative, and a comma.
  void put(const Table& table, std::size_t column, std::uint64_t value) {
    if (const auto negative = table.find_negative(column, value)) return put(*negative);
    put(value);
  }

  /// Appends a number and a comma.
  void put(std::integral auto value) {
    constexpr std::size_t longest = 20;
    std::array<char, longest> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    text_.append(digits.data(), end.ptr);
    text_ += ',';
  }

  /// Writes the buffered text to the sink if it is long. Keeps a comma at the end of the text, because it may
  /// still have to be removed.
  void drain() {
    constexpr std::size_t enough = 65536;
    if (text_.size() > enough) flush();
  }

  void flush() {
    if (!result_) {
      text_ = ",";
      return;
    }
    const char last = text_.back();
    const bool is_comma = last == ',';
    if (is_comma) text_.pop_back();
    result_ = out_->write(core::as_bytes(text_));
    text_ = is_comma ? "," : "";
  }

  const Snapshot* snapshot_;
  core::ByteSink* out_;
  std::string text_;
  Result<void> result_;
};

}  // namespace

Result<void> write_snapshot(const Snapshot& snapshot, core::ByteSink& out) {
  return SnapshotWriter(snapshot, out).write();
}

}  // namespace heapcheck::v8::heapsnapshot
