#include "validate/v8/heapsnapshot/rules.hpp"

#include <fmt/format.h>

#include "validate/v8/heapsnapshot/distinct.hpp"

namespace heapcheck::validation::v8::heapsnapshot {
namespace {

/// Recognises multiples of a number without dividing, for values below 2^32. From Lemire, Kaser and Kurz,
/// "Faster remainder by direct computation".
class Multiples {
 public:
  explicit Multiples(std::uint32_t of) : of_(of), inverse_(~std::uint64_t{0} / of + 1) {}
  [[nodiscard]] bool has(std::uint64_t value) const {
    if (value >> 32 != 0 || of_ == 1) return value % of_ == 0;
    return value * inverse_ <= inverse_ - 1;
  }

 private:
  std::uint64_t of_;
  std::uint64_t inverse_;
};

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

/// Whether any value in a chunk is not the position of a node. The loop is branch-free.
bool has_wrong_place(std::span<const std::uint64_t> places, const Multiples& multiples, std::uint64_t end) {
  bool is_wrong = false;
  for (const std::uint64_t place : places) is_wrong |= !multiples.has(place) || place >= end;
  return is_wrong;
}

/// Calls `use` with the row and value of each value in a column that is not the position of a node.
template <class Use>
void for_each_wrong_place(const format::ChunkedColumn& column, const Multiples& multiples, std::uint64_t end,
                          Use&& use) {
  ChunkValues values;
  for (std::uint64_t chunk = 0; chunk < column.chunk_count(); ++chunk) {
    const std::size_t count = column.decode_chunk(chunk, values);
    if (!has_wrong_place(std::span(values).first(count), multiples, end)) continue;
    for (std::size_t i = 0; i < count; ++i) {
      if (!multiples.has(values[i]) || values[i] >= end) use(chunk * format::chunk_rows + i, values[i]);
    }
  }
}

void check_places(const NodePlaces& info, const Snapshot& snapshot, core::FindingSink& sink) {
  const Field places(snapshot, info.section, info.field);
  if (!places) return;
  const format::Table& nodes = snapshot.table(Section::nodes);
  const auto columns = static_cast<std::uint32_t>(nodes.columns.size());
  const Multiples multiples(columns);
  // If there are many wrong positions of either kind, they have one cause: misaligned rows or missing nodes.
  Cases cases(*info.range, sink, core::count_wrong("values"));
  for_each_wrong_place(
      *places.column, multiples, nodes.value_count, [&](std::uint64_t row, std::uint64_t place) {
        const bool is_aligned = multiples.has(place);
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
