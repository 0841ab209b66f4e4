// Names in V8 heap snapshots: the names of the sections, the members of `meta` that list the columns of each
// section, the columns, and the types of nodes and edges.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace heapcheck::v8::heapsnapshot {

/// The parts of a snapshot that follow its header, in the order in which V8 writes them.
enum class Section : std::uint8_t {
  nodes,
  edges,
  trace_function_infos,
  trace_tree,
  samples,
  locations,
  scopes,
  scope_context_vars,
  scope_uses,
  strings,
};

struct SectionInfo {
  std::string_view name;
  std::string_view fields;  ///< the member of `meta` that names its columns
  bool holds_negative;      ///< whether its numbers may be negative
};

/// The member that comes before the sections.
inline constexpr std::string_view header_name = "snapshot";

/// The sections, in the order of the enumerators of Section.
inline constexpr std::array sections{
    SectionInfo{"nodes", "node_fields", false},
    SectionInfo{"edges", "edge_fields", false},
    SectionInfo{"trace_function_infos", "trace_function_info_fields", false},
    SectionInfo{"trace_tree", "trace_node_fields", false},
    SectionInfo{"samples", "sample_fields", false},
    SectionInfo{"locations", "location_fields", false},
    SectionInfo{"scopes", "scope_fields", true},
    SectionInfo{"scope_context_vars", "scope_context_var_fields", true},
    SectionInfo{"scope_uses", "scope_use_fields", true},
    SectionInfo{"strings", {}, false},
};
/// The length in characters of the longest string that is possible in V8. By default, V8 shortens strings to
/// 1,024 characters when it writes a snapshot.
inline constexpr std::uint64_t longest_string = (std::uint64_t{1} << 29) - 24;

/// The string with index 0 in all files from V8. No name refers to it.
inline constexpr std::string_view first_string_of_v8 = "<dummy>";

inline constexpr std::size_t section_count = sections.size();

// The names of columns, in V8's order. If some versions of V8 leave out some names in a list, the list begins
// with the names that all versions write.
inline constexpr std::array<std::string_view, 7> node_fields{
    "type", "name", "id", "self_size", "edge_count", "trace_node_id", "detachedness"};
inline constexpr std::size_t common_node_fields = 5;
inline constexpr std::array<std::string_view, 3> edge_fields{"type", "name_or_index", "to_node"};
/// The model of the trace tree contains only these columns.
inline constexpr std::array<std::string_view, 5> tree_fields{"id", "function_info_index", "count", "size",
                                                             "children"};
inline constexpr std::array<std::string_view, 2> sample_fields{"timestamp_us", "last_assigned_id"};
inline constexpr std::array<std::string_view, 4> location_fields{"object_index", "script_id", "line",
                                                                 "column"};
// The names of types, in the same way.
inline constexpr std::array<std::string_view, 16> node_types{"hidden",
                                                             "array",
                                                             "string",
                                                             "object",
                                                             "code",
                                                             "closure",
                                                             "regexp",
                                                             "number",
                                                             "native",
                                                             "synthetic",
                                                             "concatenated string",
                                                             "sliced string",
                                                             "symbol",
                                                             "bigint",
                                                             "object shape",
                                                             "wasm object"};
inline constexpr std::size_t common_node_types = 10;
inline constexpr std::array<std::string_view, 7> edge_types{"context", "element",  "property", "internal",
                                                            "hidden",  "shortcut", "weak"};

/// A column of a section.
struct ColumnName {
  Section section;
  std::string_view field;
};

[[nodiscard]] constexpr std::size_t index_of(Section section) { return static_cast<std::size_t>(section); }
[[nodiscard]] constexpr std::string_view name_of(Section section) { return sections[index_of(section)].name; }

[[nodiscard]] constexpr std::optional<Section> find_section(std::string_view name) {
  for (std::size_t i = 0; i < section_count; ++i) {
    if (sections[i].name == name) return static_cast<Section>(i);
  }
  return std::nullopt;
}

/// Whether the section is a flat array of integers.
[[nodiscard]] constexpr bool is_flat(Section section) {
  return section != Section::trace_tree && section != Section::strings;
}

}  // namespace heapcheck::v8::heapsnapshot
