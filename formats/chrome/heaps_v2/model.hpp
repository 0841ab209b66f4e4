// The `heaps_v2` objects in a trace, as stored in the file: with the file's own ids, with values in columns,
// and with the location of each value. Ids are resolved in scope.hpp. Owns its memory; the strings of all
// dumps are in one pool. spec: chrome/heaps_v2.md
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/chrome/container.hpp"
#include "formats/chrome/heaps_v2/runs.hpp"
#include "formats/core/json/place.hpp"
#include "formats/core/string_pool.hpp"

namespace heapcheck::chrome::heaps_v2 {

/// Used instead of an id if a row has no parent, or if its node is -1 because the stack is empty.
inline constexpr std::uint64_t no_id = UINT64_MAX;
/// Used instead of a string if a row does not contain its name.
inline constexpr core::PoolIndex no_text{UINT32_MAX};

/// The columns of an allocator.
enum class HeapColumn : std::uint8_t { nodes, types, counts, sizes };
inline constexpr std::size_t column_count = 4;

/// An array of numbers.
struct NumberColumn {
  std::string_view name;  ///< the name in the file, with static storage duration
  std::vector<std::uint64_t> values;
  bool is_present = false;
  Span span;  ///< the span of the array, including brackets
  Runs runs;
};

/// An allocator, with one row of self values for each combination of a node and a type.
struct Heap {
  std::string allocator;
  Span span;             ///< the span of its object
  bool is_whole = true;  ///< false if part of it was unreadable
  std::string rows;      ///< the array that contains the rows if they are objects
  std::array<NumberColumn, column_count> columns;

  [[nodiscard]] const NumberColumn& operator[](HeapColumn column) const {
    return columns[static_cast<std::size_t>(column)];
  }
  [[nodiscard]] NumberColumn& operator[](HeapColumn column) {
    return columns[static_cast<std::size_t>(column)];
  }
};

/// The members that all three maps share.
struct Map {
  bool is_present = false;
  bool is_whole = true;  ///< false if any of its rows was unreadable
  Span span;             ///< the span of the array
  Runs runs;
  std::vector<std::uint64_t> id;
};
/// `maps.strings`: columns of the same length.
struct StringMap : Map {
  std::vector<core::PoolIndex> text;
};
/// `maps.types`, and the columns that `maps.nodes` shares with it. If any row contains its name, `text` has
/// the same length as the other columns, and the name of each row is in either `text` or `name_sid`.
struct TypeMap : Map {
  std::vector<std::uint64_t> name_sid;
  std::vector<core::PoolIndex> text;
};
/// `maps.nodes`.
struct NodeMap : TypeMap {
  std::vector<std::uint64_t> parent;  ///< an id, or no_id
};

/// The total of an allocator, from `args.dumps.allocators`.
struct Total {
  std::string allocator;
  std::uint64_t size = 0;                     ///< `attrs.size`, in bytes
  Span span;                                  ///< the span of its value
  std::optional<std::uint64_t> virtual_size;  ///< `attrs.virtual_size`, in bytes
  std::optional<std::uint64_t> objects_size;  ///< the size of the allocated objects seen by the profiler
};

enum class Layout : std::uint8_t {
  heaps_v2,      ///< `args.dumps.heaps_v2` in an event of phase `v`
  heap_profile,  ///< `args.data` in a `heap_profile` event of phase `P`, a proposal that was never shipped
};

/// One event that contains heaps.
struct Dump {
  EventHead head;
  Layout layout = Layout::heaps_v2;
  core::JsonPlace place;
  Span span;
  std::optional<std::uint64_t> version;
  bool is_whole = true;  ///< whether all of its parts have the right types
  StringMap strings;
  TypeMap types;
  NodeMap nodes;
  std::vector<Heap> heaps;
  core::JsonPlace totals_place;
  std::vector<Total> totals;  ///< by name
};

struct Model {
  core::StringPool strings;
  std::vector<Dump> dumps;  ///< in the order of the trace
};

}  // namespace heapcheck::chrome::heaps_v2
