#include "validate/v8/heapsnapshot/consistency/meta_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "formats/v8/heapsnapshot/layout.hpp"
#include "formats/v8/heapsnapshot/quirks.hpp"
#include "validate/v8/heapsnapshot/consistency/consistency_rules.hpp"
#include "validate/v8/heapsnapshot/rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consistency {
namespace {

/// The names in a list, in V8's order. All versions of V8 write the first `required` names.
struct KnownOrder {
  std::string_view path;
  std::span<const std::string_view> names;
  std::size_t required;
};
constexpr KnownOrder known_orders[] = {
    {"/snapshot/meta/node_types/0", format::node_types, format::common_node_types},
    {"/snapshot/meta/edge_types/0", format::edge_types, format::edge_types.size()},
    {"/snapshot/meta/node_fields", format::node_fields, format::common_node_fields},
    {"/snapshot/meta/edge_fields", format::edge_fields, format::edge_fields.size()},
};

/// The rules about the rows of nodes and edges. All other rules apply whatever the columns and types of these
/// rows are.
constexpr const Rule* ordered_rules[] = {
    &heapsnapshot::rules::edges_per_node,
    &heapsnapshot::rules::edges_to_node_alignment,
    &heapsnapshot::rules::edges_to_node_range,
    &heapsnapshot::rules::edges_type,
    &heapsnapshot::rules::nodes_id,
    &heapsnapshot::rules::nodes_root,
    &heapsnapshot::rules::nodes_root_edges,
    &heapsnapshot::rules::nodes_short_id,
    &heapsnapshot::rules::nodes_trace_node,
    &heapsnapshot::rules::nodes_type,
    &heapsnapshot::rules::nodes_unnamed_symbol,
    &heapsnapshot::rules::nodes_unreachable,
    &heapsnapshot::rules::strings_index,
    &rules::edges_map,
    &rules::edges_order,
    &rules::strings_order,
};

/// If there are more warnings than this, the order in `meta` differs from the order in the rows.
constexpr std::uint64_t few_warnings = 8;

std::size_t find_rank(const KnownOrder& order, std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(order.names, name) - order.names.begin());
}

std::optional<MetaOrder> find_exchange(const KnownOrder& order, const std::vector<std::string>& names) {
  for (const std::string_view name : order.names.first(order.required)) {
    if (std::ranges::count(names, name) != 1) return std::nullopt;
  }
  const std::string* last = nullptr;
  for (const std::string& name : names) {
    const std::size_t rank = find_rank(order, name);
    if (rank == order.names.size()) continue;
    if (last != nullptr && rank < find_rank(order, *last))
      return MetaOrder{std::string(order.path), order.path.ends_with("/0"), *last, name};
    last = &name;
  }
  return std::nullopt;
}

/// Sorts the names that V8 uses within the positions that they occupy.
void restore(const KnownOrder& order, std::vector<std::string>& names) {
  std::vector<std::size_t> ranks;
  for (const std::string& name : names) {
    if (const std::size_t rank = find_rank(order, name); rank != order.names.size()) ranks.push_back(rank);
  }
  std::ranges::sort(ranks);
  auto next = ranks.begin();
  for (std::string& name : names) {
    if (find_rank(order, name) != order.names.size()) name = order.names[*next++];
  }
}

// The next three functions are templates so that they only return mutable lists for a mutable schema. The
// search for another order takes a const schema, but restoring V8's order requires a mutable one.

/// The list of type names, even if the column of types is in another position.
template <class Types>
auto first_list(Types& types) -> decltype(&types->front().names) {
  return types && !types->empty() && types->front().is_list ? &types->front().names : nullptr;
}

template <class Schema>
auto find_fields(Schema& schema, Section section) -> decltype(&*schema.fields[0]) {
  auto& fields = schema.fields[format::index_of(section)];
  return fields ? &*fields : nullptr;
}

/// The lists that `known_orders` names. A list is null if `meta` lacks it.
template <class Schema>
auto find_lists(Schema& schema) {
  return std::array{first_list(schema.node_types), first_list(schema.edge_types),
                    find_fields(schema, Section::nodes), find_fields(schema, Section::edges)};
}

/// Whether any node has a detachedness value that readers do not recognise, in which case the column is
/// probably a different one.
bool has_strange_detachedness(const Snapshot& snapshot) {
  constexpr std::uint64_t most_detached = 3;
  const Field values(snapshot, Section::nodes, "detachedness");
  return values && values.column->largest() > most_detached;
}

}  // namespace

std::optional<MetaOrder> find_other_order(const format::Schema& schema) {
  const auto lists = find_lists(schema);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (lists[i] == nullptr) continue;
    if (auto found = find_exchange(known_orders[i], *lists[i])) return found;
  }
  return std::nullopt;
}

void restore_v8_order(format::Schema& schema) {
  const auto lists = find_lists(schema);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (lists[i] != nullptr && find_exchange(known_orders[i], *lists[i])) restore(known_orders[i], *lists[i]);
  }
}

bool is_contradicted(const Snapshot& snapshot, const FindingCounts& others) {
  return others.errors + others.warnings != 0 || has_strange_detachedness(snapshot);
}

bool depends_on_order(const Rule& rule) {
  return std::ranges::find(ordered_rules, &rule) != std::end(ordered_rules);
}

void FindingCounts::report_more(const Rule& rule, std::uint64_t count) {
  if (!depends_on_order(rule)) return;
  if (rule.severity == Severity::error) errors += count;
  if (rule.severity == Severity::warning) warnings += count;
}

bool report_order(const Snapshot& snapshot, const MetaOrder& order, const FindingCounts& others,
                  core::FindingSink& sink) {
  const std::uint64_t warnings = others.warnings + (has_strange_detachedness(snapshot) ? 1U : 0U);
  const bool is_contradicted = others.errors + warnings != 0;
  if (!is_contradicted && !(order.is_types && format::has_v8_mark(snapshot))) return false;
  const bool is_wrong = others.errors != 0 || warnings > few_warnings;
  sink.report({is_wrong ? &rules::meta_permuted : &rules::meta_order,
               {snapshot.schema.span, std::nullopt, order.path},
               fmt::format("found `{}` before `{}`, expected V8's order{}", order.first, order.second,
                           is_contradicted ? ", because the rows contradict this one" : "")});
  return is_contradicted;
}

}  // namespace heapcheck::validation::v8::heapsnapshot::consistency
