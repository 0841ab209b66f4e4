#include "validate/v8/heapsnapshot/edge_rules.hpp"

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

/// A column whose values are positions of nodes in `nodes`, and the rules about these positions.
struct NodePlaces {
  Section section;
  std::string_view field;
  const Rule* alignment;
  const Rule* range;
};
constexpr NodePlaces node_places[] = {
    {Section::edges, "to_node", &rules::edges_to_node_alignment, &rules::edges_to_node_range},
    {Section::locations, "object_index", &rules::locations_node, &rules::locations_node},
    {Section::locations, "script_object_index", &rules::locations_node, &rules::locations_node},
    {Section::scopes, "script_node_index", &rules::scopes_node, &rules::scopes_node},
};

/// Whether any value of a chunk is not the position of a node. The loop is branch-free.
bool has_wrong_place(std::span<const std::uint64_t> places, const Multiples& multiples, std::uint64_t end) {
  bool is_wrong = false;
  for (const std::uint64_t place : places) is_wrong |= !multiples.has(place) || place >= end;
  return is_wrong;
}

void check_places(const NodePlaces& info, const Snapshot& snapshot, core::FindingSink& sink) {
  const Field places(snapshot, info.section, info.field);
  if (!places) return;
  const format::Table& nodes = snapshot.table(Section::nodes);
  const auto columns = static_cast<std::uint32_t>(nodes.columns.size());
  const Multiples multiples(columns);
  Cases unaligned(*info.alignment, sink);
  Cases outside(*info.range, sink);
  ChunkValues values;
  for (std::uint64_t chunk = 0; chunk < places.column->chunk_count(); ++chunk) {
    const std::size_t count = places.column->decode_chunk(chunk, values);
    if (!has_wrong_place(std::span(values).first(count), multiples, nodes.value_count)) continue;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t place = values[i];
      const std::uint64_t row = chunk * format::chunk_rows + i;
      if (!multiples.has(place)) {
        unaligned.add(places, row, [&] {
          return fmt::format("{} is {}, expected a multiple of {}", info.field, place, columns);
        });
      } else if (place >= nodes.value_count) {
        outside.add(places, row, [&] {
          return fmt::format("{} is {}, expected at most {}", info.field, place, nodes.value_count - columns);
        });
      }
    }
  }
}

}  // namespace

void check_edges(const Snapshot& snapshot, core::FindingSink& sink) {
  const Field types(snapshot, Section::edges, "type");
  const auto* names = snapshot.schema.find_type_names(Section::edges, "type");
  if (!types || names == nullptr || names->empty()) return;
  Cases cases(rules::edges_type, sink);
  for_each_above(*types.column, names->size() - 1, [&](std::uint64_t row, std::uint64_t type) {
    cases.add(types, row,
              [&] { return fmt::format("type is {}, expected at most {}", type, names->size() - 1); });
  });
}

void check_node_places(const Snapshot& snapshot, core::FindingSink& sink) {
  for (const NodePlaces& info : node_places) check_places(info, snapshot, sink);
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
}

}  // namespace heapcheck::validation::v8::heapsnapshot
