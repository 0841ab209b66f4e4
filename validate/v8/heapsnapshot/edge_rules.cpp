#include "validate/v8/heapsnapshot/rules.hpp"

#include <fmt/format.h>

#include <array>

#include "validate/v8/heapsnapshot/distinct.hpp"
#include "validate/v8/heapsnapshot/node_rows.hpp"

namespace heapcheck::validation::v8::heapsnapshot {
namespace {

/// A column of positions in `nodes`, and the rules for these positions.
struct NodePlaces {
  Section section;
  std::string_view field;
  const Rule* alignment;
  const Rule* range;
};
constexpr NodePlaces edge_targets{Section::edges, "to_node", &rules::edges_to_node_alignment,
                                  &rules::edges_to_node_range};
constexpr NodePlaces other_places[] = {
    {Section::locations, "object_index", &rules::locations_node, &rules::locations_node},
    {Section::locations, "script_object_index", &rules::locations_node, &rules::locations_node},
    {Section::scopes, "script_node_index", &rules::scopes_node, &rules::scopes_node},
};

/// Finds values that are not positions of nodes.
class WrongPlaces {
 public:
  explicit WrongPlaces(const format::Table& nodes)
      : columns_(static_cast<std::uint32_t>(nodes.columns.size())),
        end_(nodes.value_count),
        row_count_(nodes.row_count()) {}

  [[nodiscard]] bool is_aligned(std::uint64_t place) const { return place % columns_ == 0; }

  /// Calls `use` with the row and value of each wrong value in a column.
  template <class Use>
  void for_each(const format::ChunkedColumn& column, Use&& use) const {
    ChunkValues values;
    for (std::uint64_t chunk = 0; chunk < column.chunk_count(); ++chunk) {
      if (is_right(column, chunk)) continue;
      const std::size_t count = column.decode_chunk(chunk, values);
      for (std::size_t i = 0; i < count; ++i) {
        if (!is_aligned(values[i]) || values[i] >= end_) use(chunk * format::chunk_rows + i, values[i]);
      }
    }
  }

 private:
  /// Whether all values of a chunk are positions of nodes. Always false if there may be positions above 2^32.
  [[nodiscard]] bool is_right(const format::ChunkedColumn& column, std::uint64_t chunk) const {
    if (column.largest(chunk) > UINT32_MAX || end_ > UINT32_MAX) return false;
    std::array<std::uint32_t, format::chunk_rows> places;
    const std::size_t count = column.decode_chunk(chunk, places);
    return divide_positions(std::span(places).first(count), RowDivision(columns_)) < row_count_;
  }

  std::uint32_t columns_;
  std::uint64_t end_;
  std::uint64_t row_count_;
};

void check_places(const NodePlaces& info, const Snapshot& snapshot, core::FindingSink& sink) {
  const Field places(snapshot, info.section, info.field);
  if (!places) return;
  const format::Table& nodes = snapshot.table(Section::nodes);
  const std::size_t columns = nodes.columns.size();
  const WrongPlaces wrong(nodes);
  // If there are many wrong positions of either kind, they have one cause: misaligned rows or missing nodes.
  Cases cases(*info.range, sink, core::count_wrong("values"));
  wrong.for_each(*places.column, [&](std::uint64_t row, std::uint64_t place) {
    const bool is_aligned = wrong.is_aligned(place);
    cases.add(is_aligned ? *info.range : *info.alignment, places, row, [&] {
      return is_aligned ? fmt::format("{} is {}, expected at most {}", info.field, place,
                                      nodes.value_count - columns)
                        : fmt::format("{} is {}, expected a multiple of {}", info.field, place, columns);
    });
  });
  cases.report();
}

}  // namespace

void check_edges(const Snapshot& snapshot, core::FindingSink& sink) {
  check_types(snapshot, Section::edges, rules::edges_type, sink);
}

void check_targets_of_edges(const Snapshot& snapshot, core::FindingSink& sink) {
  check_places(edge_targets, snapshot, sink);
}

void check_other_places(const Snapshot& snapshot, core::FindingSink& sink) {
  for (const NodePlaces& info : other_places) check_places(info, snapshot, sink);
}

void check_repeated_locations(const Snapshot& snapshot, core::FindingSink& sink) {
  const Field objects(snapshot, Section::locations, "object_index");
  if (!objects) return;
  Cases cases(rules::locations_repeated, sink);
  for (const Repeated& place : find_repeated(*objects.column)) {
    cases.add(objects, place.row, [&] {
      return fmt::format("object_index is {}, the same as that of an earlier location", place.value);
    });
  }
  cases.report();
}

}  // namespace heapcheck::validation::v8::heapsnapshot
