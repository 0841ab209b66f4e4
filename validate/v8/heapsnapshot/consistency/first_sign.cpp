#include "validate/v8/heapsnapshot/consistency/consistency_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "validate/v8/heapsnapshot/consistency/map_edges.hpp"
#include "validate/v8/heapsnapshot/consistency/name_order.hpp"
#include "validate/v8/heapsnapshot/distinct.hpp"
#include "validate/v8/heapsnapshot/names.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consistency {
namespace {

using format::ChunkedColumn;

/// The largest value of `detachedness` that readers understand.
constexpr std::uint64_t most_detached = 3;

/// Determines whether a name is possible after all names before it. Borrows the strings.
class PossibleNames {
 public:
  explicit PossibleNames(const format::StringTable& strings)
      : count_(strings.count()), is_numbered_(strings.count() != 0 && strings[0] == "<dummy>") {}

  bool add(std::uint64_t name) {
    if (count_ != 0 && name >= count_) return false;
    if (is_numbered_ && name > largest_ + 1) return false;
    largest_ = std::max(largest_, name);
    return true;
  }

 private:
  std::uint64_t count_;
  bool is_numbered_;
  std::uint64_t largest_ = 0;
};

std::optional<RowPlace> find_misaligned_node(const Snapshot& snapshot) {
  const ChunkedColumn* const types = snapshot.find_column(Section::nodes, "type");
  const ChunkedColumn* const names = snapshot.find_column(Section::nodes, "name");
  const ChunkedColumn* const detached = snapshot.find_column(Section::nodes, "detachedness");
  const auto* known = snapshot.schema.find_type_names(Section::nodes, "type");
  if (types == nullptr || names == nullptr || known == nullptr) return std::nullopt;
  PossibleNames possible(snapshot.strings.table);
  for (std::uint64_t row = 0; row < types->count(); ++row) {
    // Old versions of V8 use one type that they do not name.
    const bool fits = (*types)[row] <= known->size() && possible.add((*names)[row]) &&
                      (detached == nullptr || (*detached)[row] <= most_detached);
    if (!fits) return RowPlace{Section::nodes, row};
  }
  return std::nullopt;
}

std::optional<RowPlace> find_misaligned_edge(const Snapshot& snapshot) {
  const ChunkedColumn* const types = snapshot.find_column(Section::edges, "type");
  const ChunkedColumn* const targets = snapshot.find_column(Section::edges, "to_node");
  const auto* known = snapshot.schema.find_type_names(Section::edges, "type");
  if (types == nullptr || targets == nullptr || known == nullptr) return std::nullopt;
  const format::Table& nodes = snapshot.table(Section::nodes);
  for (std::uint64_t row = 0; row < types->count(); ++row) {
    const bool fits =
        (*types)[row] < known->size() && (!nodes.is_sound() || nodes.begins_row((*targets)[row]));
    if (!fits) return RowPlace{Section::edges, row};
  }
  return std::nullopt;
}

/// The first node that has the id of an earlier node, if there are more nodes than the header states.
std::optional<RowPlace> find_repeated_node(const Snapshot& snapshot) {
  const auto& said = snapshot.header.node_count;
  const Field ids(snapshot, Section::nodes, "id");
  if (!ids || !said || said->value >= ids.column->count()) return std::nullopt;
  const std::vector<Repeated> repeated = find_repeated(*ids.column);
  if (repeated.empty()) return std::nullopt;
  return RowPlace{Section::nodes, repeated.front().row};
}

std::optional<RowPlace> find_name_step(const Snapshot& snapshot, Section section) {
  const NameOrder order = find_name_order(snapshot);
  if (order.steps > few_name_steps || !order.first || order.first->section != section) return std::nullopt;
  return RowPlace{section, order.first->row};
}

}  // namespace

std::optional<RowPlace> find_misaligned_row(const Snapshot& snapshot, Section section) {
  if (section == Section::nodes) return find_misaligned_node(snapshot);
  return section == Section::edges ? find_misaligned_edge(snapshot) : std::nullopt;
}

std::optional<RowPlace> find_misassigned_node(const Snapshot& snapshot) {
  const auto mismatch = find_edge_mismatch(snapshot);
  return mismatch ? std::optional(RowPlace{Section::nodes, mismatch->row}) : std::nullopt;
}

std::optional<RowPlace> find_miscounted_row(const Snapshot& snapshot, Section section) {
  if (section == Section::nodes) {
    if (const auto place = find_repeated_node(snapshot)) return place;
  }
  if (const auto place = find_name_step(snapshot, section)) return place;
  const auto mismatch = find_edge_mismatch(snapshot);
  if (!mismatch) return std::nullopt;
  const bool has_edge = mismatch->edge < snapshot.table(Section::edges).row_count();
  return section == Section::edges && has_edge ? RowPlace{section, mismatch->edge}
                                               : RowPlace{Section::nodes, mismatch->row};
}

Location locate(const Snapshot& snapshot, const RowPlace& place) {
  const Section other = place.section == Section::nodes ? Section::edges : Section::nodes;
  const Span span = find_row(snapshot.table(place.section), place.row, snapshot.table(other));
  return {span, std::nullopt, fmt::format("/{}/{}", name_of(place.section), place.row)};
}

}  // namespace heapcheck::validation::v8::heapsnapshot::consistency
