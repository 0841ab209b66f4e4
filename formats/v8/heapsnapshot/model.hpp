// A V8 heap snapshot, as stored in its file: the header, the description of the columns in `meta`, and the
// sections as columns of numbers. Owns everything.
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

/// The description of one column's values in `meta`, which is either one word or a list with a name for each
/// value.
struct FieldType {
  bool is_list = false;
  std::vector<std::string> names;  ///< a single name if it is not a list

  friend bool operator==(const FieldType&, const FieldType&) = default;
};

/// The content of `meta`.
struct Schema {
  /// The names of the columns of each section; empty if `meta` lacks them.
  std::array<std::optional<std::vector<std::string>>, section_count> fields;
  std::optional<std::vector<FieldType>> node_types;
  std::optional<std::vector<FieldType>> edge_types;
  Span span;
  bool is_present = false;
  bool is_sound = false;  ///< whether it was complete and had the right types; any wrong parts are left out
  std::array<bool, section_count> is_wrong_list{};  ///< whether `fields` lacks a column or names one twice
  bool omits_symbol = false;  ///< whether the last node type, `symbol`, is not in the file (quirks.hpp)

  /// The column with that name.
  [[nodiscard]] std::optional<std::size_t> find_field(Section section, std::string_view name) const;
  /// The names of a column's values, by value; null if there are none.
  [[nodiscard]] const std::vector<std::string>* find_type_names(Section section,
                                                                std::string_view field) const;

  friend bool operator==(const Schema& a, const Schema& b) {
    return a.fields == b.fields && a.node_types == b.node_types && a.edge_types == b.edge_types;
  }
};

/// A number in the header.
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
  bool is_sound = false;  ///< whether it was read completely and its numbers are valid

  friend bool operator==(const Header& a, const Header& b) {
    return a.node_count == b.node_count && a.edge_count == b.edge_count &&
           a.trace_function_count == b.trace_function_count && a.extra_native_bytes == b.extra_native_bytes &&
           a.root_index == b.root_index;
  }
};

/// The numbers in the header by name, in V8's order.
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

struct Strings {
  StringTable table;
  Span span;
  std::uint64_t wrong_values = 0;  ///< the number of values other than strings, which are kept as empty
                                   ///< strings
  Extent extent = Extent::absent;

  [[nodiscard]] bool is_present() const { return extent != Extent::absent; }
  [[nodiscard]] bool is_whole() const { return extent == Extent::whole; }
  [[nodiscard]] bool is_sound() const { return is_whole() && wrong_values == 0; }
  [[nodiscard]] Span find(std::uint64_t index) const { return table.find(index, span.end()); }
};

struct Snapshot {
  Header header;
  Schema schema;
  std::array<Table, section_count> tables;  ///< the flat sections, indexed by Section
  TraceTree trace_tree;
  Strings strings;
  Text text;
  std::vector<Section> order;     ///< the order of the sections in the file
  bool has_record_lines = false;  ///< whether each record is on its own line, as in V8 before 2024
  /// The number of unknown members of the document, the header and `meta`, plus the number of unknown columns
  /// of the trace tree. None of these are kept.
  std::uint64_t unknown_members = 0;
  bool is_whole = false;  ///< whether the document was read to its end

  [[nodiscard]] const Table& table(Section section) const { return tables[index_of(section)]; }
  [[nodiscard]] Table& table(Section section) { return tables[index_of(section)]; }
  /// Whether a section is missing, incomplete or complete.
  [[nodiscard]] Extent extent(Section section) const;
  [[nodiscard]] bool has(Section section) const { return extent(section) != Extent::absent; }
  /// Marks the section as present.
  void set_present(Section section);
  /// Whether a flat section is complete and has the columns that `meta` names for it, and these names may be
  /// correct.
  [[nodiscard]] bool is_sound(Section section) const;
  /// The column with that name; null if there is none.
  [[nodiscard]] const ChunkedColumn* find_column(Section section, std::string_view field) const;
  /// Whether both have the same content, even if the content is at different offsets in the two files.
  friend bool operator==(const Snapshot& a, const Snapshot& b);
};

}  // namespace heapcheck::v8::heapsnapshot
