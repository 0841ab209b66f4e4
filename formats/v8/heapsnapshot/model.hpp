// A heap snapshot of V8 as its file has it: the header, what `meta` says of the columns, and the sections as
// columns of the numbers that stand there. Owns everything.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/core/bytes.hpp"
#include "formats/v8/heapsnapshot/layout.hpp"
#include "formats/v8/heapsnapshot/mark.hpp"
#include "formats/v8/heapsnapshot/string_table.hpp"
#include "formats/v8/heapsnapshot/table.hpp"

namespace heapcheck::v8::heapsnapshot {

/// What `meta` says of the values of one column: one word, or names by value.
struct FieldType {
  bool is_list = false;
  std::vector<std::string> names;  ///< one where it is no list

  friend bool operator==(const FieldType&, const FieldType&) = default;
};

/// The content of `meta`.
struct Schema {
  /// The names of the columns of each section; nothing where `meta` lacks them.
  std::array<std::optional<std::vector<std::string>>, section_count> fields;
  std::optional<std::vector<FieldType>> node_types;
  std::optional<std::vector<FieldType>> edge_types;
  Span span;
  bool is_present = false;
  bool is_sound = false;  ///< all of it was read and of the right types; what was not is missing here

  /// The column of that name.
  [[nodiscard]] std::optional<std::size_t> find_field(Section section, std::string_view name) const;
  /// The names of the values of a column, by value; null where there are none.
  [[nodiscard]] const std::vector<std::string>* find_type_names(Section section,
                                                                std::string_view field) const;

  friend bool operator==(const Schema& a, const Schema& b) {
    return a.fields == b.fields && a.node_types == b.node_types && a.edge_types == b.edge_types;
  }
};

/// A number of the header.
struct HeaderNumber {
  std::uint64_t value = 0;
  Span span;

  friend bool operator==(const HeaderNumber& a, const HeaderNumber& b) { return a.value == b.value; }
};

struct Header {
  std::optional<HeaderNumber> node_count;
  std::optional<HeaderNumber> edge_count;
  std::optional<HeaderNumber> trace_function_count;
  std::optional<HeaderNumber> extra_native_bytes;
  std::optional<HeaderNumber> root_index;
  Span span;
  bool is_present = false;
  bool is_sound = false;  ///< all of it was read, and its numbers are numbers

  friend bool operator==(const Header& a, const Header& b) {
    return a.node_count == b.node_count && a.edge_count == b.edge_count &&
           a.trace_function_count == b.trace_function_count && a.extra_native_bytes == b.extra_native_bytes &&
           a.root_index == b.root_index;
  }
};

/// The numbers of the header by their names, in V8's order.
struct HeaderMember {
  std::string_view name;
  std::optional<HeaderNumber> Header::* number;
};
inline constexpr HeaderMember header_members[] = {
    {"node_count", &Header::node_count},
    {"edge_count", &Header::edge_count},
    {"trace_function_count", &Header::trace_function_count},
    {"extra_native_bytes", &Header::extra_native_bytes},
    {"root_index", &Header::root_index},
};

/// The calls that allocated, outer ones before inner ones, as the file has them.
struct TraceTree {
  static constexpr std::uint32_t no_parent = static_cast<std::uint32_t>(-1);

  std::vector<std::uint64_t> id;
  std::vector<std::uint64_t> function_info_index;
  std::vector<std::uint64_t> count;
  std::vector<std::uint64_t> size;
  std::vector<std::uint32_t> parent;   ///< an index into these columns
  std::vector<std::uint64_t> offsets;  ///< where each begins in the file
  std::size_t whole_rows = 0;          ///< how many of the first ones were read up to their children
  Span span;
  Extent extent = Extent::absent;

  [[nodiscard]] bool is_present() const { return extent != Extent::absent; }
  [[nodiscard]] bool is_whole() const { return extent == Extent::whole; }
  friend bool operator==(const TraceTree& a, const TraceTree& b) {
    return a.id == b.id && a.function_info_index == b.function_info_index && a.count == b.count &&
           a.size == b.size && a.parent == b.parent;
  }
};

struct Strings {
  StringTable table;
  Span span;
  std::uint64_t wrong_values = 0;  ///< values that are no strings, kept as empty ones
  Extent extent = Extent::absent;

  [[nodiscard]] bool is_present() const { return extent != Extent::absent; }
  [[nodiscard]] bool is_whole() const { return extent == Extent::whole; }
  [[nodiscard]] bool is_sound() const { return is_whole() && wrong_values == 0; }
  [[nodiscard]] Span find(std::uint64_t index) const { return table.find(index, span.end()); }
};

struct Snapshot {
  Header header;
  Schema schema;
  std::array<Table, section_count> tables;  ///< of the flat sections, by Section
  TraceTree trace_tree;
  Strings strings;
  Text text;
  std::vector<Section> order;     ///< in which the sections stand in the file
  bool has_record_lines = false;  ///< each record stands in a line of its own, as V8 did it before 2024
  /// Of the document, the header and `meta`, and columns of the trace tree: they are not kept.
  std::uint64_t unknown_members = 0;
  bool is_whole = false;  ///< the document was read to its end

  [[nodiscard]] const Table& table(Section section) const { return tables[index_of(section)]; }
  [[nodiscard]] Table& table(Section section) { return tables[index_of(section)]; }
  /// How much of a section there is.
  [[nodiscard]] Extent extent(Section section) const;
  [[nodiscard]] bool has(Section section) const { return extent(section) != Extent::absent; }
  /// From here on it has that section.
  void set_present(Section section);
  /// Whether a flat section is all there, in the columns that `meta` names for it.
  [[nodiscard]] bool is_sound(Section section) const;
  /// The column of that name; null where there is none.
  [[nodiscard]] const ChunkedColumn* find_column(Section section, std::string_view field) const;

  /// Whether both say the same; where it stands does not count.
  friend bool operator==(const Snapshot& a, const Snapshot& b);
};

}  // namespace heapcheck::v8::heapsnapshot
