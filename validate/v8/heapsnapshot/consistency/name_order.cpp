#include "validate/v8/heapsnapshot/consistency/name_order.hpp"

#include <algorithm>

#include "validate/v8/heapsnapshot/names.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consistency {
namespace {

/// Snapshots that were cut down to a few hundred nodes have one step or two.
constexpr std::uint64_t names_per_step = 1000;

/// The names that neither nodes nor edges use, or that these use later: those of functions and variables. A
/// program that rewrote the file may have numbered them first.
class OtherNames {
 public:
  explicit OtherNames(const Snapshot& snapshot) {
    for (const NameColumn& info : name_columns) {
      const Field names(snapshot, info.section, info.field);
      if (!names || info.section == Section::nodes || info.section == Section::edges) continue;
      for_each_value(*names.column, [&](std::uint64_t, std::uint64_t name) { names_.push_back(name); });
    }
    std::ranges::sort(names_);
  }

  [[nodiscard]] std::uint64_t skip_from(std::uint64_t largest) const {
    while (std::ranges::binary_search(names_, largest + 1)) ++largest;
    return largest;
  }

 private:
  std::vector<std::uint64_t> names_;
};

/// Follows the names of one section after the other. Borrows the snapshot.
class NameScan {
 public:
  explicit NameScan(const Snapshot& snapshot) : snapshot_(&snapshot) {}

  void add(Section section, std::uint64_t first_row, std::span<const std::uint64_t> names) {
    std::uint64_t largest = order_.largest;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] <= largest) continue;
      if (names[i] > largest + 1) note({section, first_row + i, names[i], largest});
      largest = names[i];
      ++order_.names;
    }
    order_.largest = largest;
  }

  [[nodiscard]] const NameOrder& order() const { return order_; }

 private:
  void note(const NameStep& step) {
    if (!others_) others_.emplace(*snapshot_);
    if (others_->skip_from(step.largest) + 1 >= step.name) return;
    if (order_.steps++ == 0) order_.first = step;
  }

  const Snapshot* snapshot_;
  NameOrder order_;
  std::optional<OtherNames> others_;
};

/// The types of edges that have an index instead of a name.
struct IndexTypes {
  std::uint64_t element;
  std::uint64_t hidden;

  /// Sets the indices among `names` to 0.
  void clear(std::span<const std::uint64_t> types, std::span<std::uint64_t> names) const {
    for (std::size_t i = 0; i < names.size(); ++i)
      names[i] = types[i] == element || types[i] == hidden ? 0 : names[i];
  }
};

std::uint64_t find_type(const std::vector<std::string>& names, std::string_view name) {
  return static_cast<std::uint64_t>(std::ranges::find(names, name) - names.begin());
}

void add_node_names(const Snapshot& snapshot, NameScan& scan) {
  const Field names(snapshot, Section::nodes, "name");
  if (!names) return;
  ChunkValues values;
  for (std::uint64_t chunk = 0; chunk < names.column->chunk_count(); ++chunk) {
    const std::size_t count = names.column->decode_chunk(chunk, values);
    scan.add(Section::nodes, chunk * format::chunk_rows, std::span(values).first(count));
  }
}

void add_edge_names(const Snapshot& snapshot, NameScan& scan) {
  const Field names(snapshot, Section::edges, "name_or_index");
  const Field types(snapshot, Section::edges, "type");
  const auto* type_names = snapshot.schema.find_type_names(Section::edges, "type");
  if (!names || !types || type_names == nullptr) return;
  const IndexTypes indices{find_type(*type_names, "element"), find_type(*type_names, "hidden")};
  ChunkValues values;
  ChunkValues type_values;
  for (std::uint64_t chunk = 0; chunk < names.column->chunk_count(); ++chunk) {
    if (names.column->largest(chunk) <= scan.order().largest) continue;
    const std::size_t count = names.column->decode_chunk(chunk, values);
    types.column->decode_chunk(chunk, type_values);
    indices.clear(std::span(type_values).first(count), std::span(values).first(count));
    scan.add(Section::edges, chunk * format::chunk_rows, std::span(values).first(count));
  }
}

}  // namespace

bool NameOrder::has_few_steps() const {
  return steps != 0 && steps <= few_name_steps && names / names_per_step >= steps;
}

NameOrder find_name_order(const Snapshot& snapshot) {
  NameScan scan(snapshot);
  add_node_names(snapshot, scan);
  add_edge_names(snapshot, scan);
  return scan.order();
}

}  // namespace heapcheck::validation::v8::heapsnapshot::consistency
