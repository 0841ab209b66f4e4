// What the `heaps_v2` objects of a trace hold, as the file has it: ids are the file's own, values are
// columns, and for each it is known where it stands. What ids mean is worked out by scope.hpp. Owns its
// memory; texts are in one pool for all dumps. spec: chrome/heaps_v2.md
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/chrome/event.hpp"
#include "formats/chrome/heaps_v2/runs.hpp"
#include "formats/core/json/place.hpp"
#include "formats/core/string_pool.hpp"

namespace heapcheck::chrome::heaps_v2 {

/// Stands for "none": of a parent, and of a row's node where a writer put -1 there for the empty stack.
inline constexpr std::uint64_t no_id = UINT64_MAX;
/// Stands for "none": of a row's name that is written as a text.
inline constexpr core::PoolIndex no_text{UINT32_MAX};

/// The columns of an allocator.
enum class HeapColumn : std::uint8_t { nodes, types, counts, sizes };
inline constexpr std::size_t column_count = 4;

/// An array of numbers.
struct NumberColumn {
  std::string_view name;  ///< in the file; of static storage
  std::vector<std::uint64_t> values;
  bool is_present = false;
  Span span;  ///< of the array, brackets included
  Runs runs;
};

/// An allocator: a row for each node and type, self values.
struct Heap {
  std::string allocator;
  Span span;             ///< of its object
  bool is_whole = true;  ///< nothing in it was unreadable
  std::string rows;      ///< where rows are objects: the array they stand in
  std::array<NumberColumn, column_count> columns;

  [[nodiscard]] const NumberColumn& operator[](HeapColumn column) const {
    return columns[static_cast<std::size_t>(column)];
  }
  [[nodiscard]] NumberColumn& operator[](HeapColumn column) {
    return columns[static_cast<std::size_t>(column)];
  }
};

/// What the three maps have in common.
struct Map {
  bool is_present = false;
  bool is_whole = true;  ///< no row of it was unreadable
  Span span;             ///< of the array
  Runs runs;
  std::vector<std::uint64_t> id;
};
/// `maps.strings`; columns, equally long.
struct StringMap : Map {
  std::vector<core::PoolIndex> text;
};
/// `maps.types`, and what `maps.nodes` shares with it. Where names are texts of their own, `text` is as long
/// as the others, and a row has a name in one of the two.
struct TypeMap : Map {
  std::vector<std::uint64_t> name_sid;
  std::vector<core::PoolIndex> text;
};
/// `maps.nodes`.
struct NodeMap : TypeMap {
  std::vector<std::uint64_t> parent;  ///< id, or no_id
};

/// What `args.dumps.allocators` says an allocator held.
struct Total {
  std::string allocator;
  std::uint64_t size = 0;                     ///< `attrs.size`, bytes
  Span span;                                  ///< of its value
  std::optional<std::uint64_t> objects_size;  ///< of the allocated objects that the profiler saw
};

enum class Layout : std::uint8_t {
  heaps_v2,      ///< `args.dumps.heaps_v2` of phase `v`
  heap_profile,  ///< `args.data` of the `P` event `heap_profile`, which was proposed and never shipped
};

/// One event that carries heaps.
struct Dump {
  EventHead head;
  Layout layout = Layout::heaps_v2;
  core::JsonPlace place;
  Span span;
  std::optional<std::uint64_t> version;
  bool is_whole = true;  ///< its parts have the types they must have
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
