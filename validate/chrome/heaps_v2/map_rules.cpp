#include "validate/chrome/heaps_v2/map_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "validate/chrome/heaps_v2/rules.hpp"

namespace heapcheck::validation::chrome::heaps_v2 {
namespace {

using heapcheck::chrome::heaps_v2::no_id;
using heapcheck::chrome::heaps_v2::NodeMap;
using heapcheck::chrome::heaps_v2::RowRef;
using heapcheck::chrome::heaps_v2::TypeMap;

/// The largest integer such that a double can represent every integer up to it.
constexpr std::uint64_t largest_exact = std::uint64_t{1} << 53;

/// Returns whether two rows have the same name in `scope` or, if one of them has no name there, the same name
/// id.
bool same_name(const TypeMap& a, std::uint64_t row_a, const TypeMap& b, std::uint64_t row_b,
               const Scope& scope) {
  const auto name_a = scope.find_name(a, row_a);
  const auto name_b = scope.find_name(b, row_b);
  return name_a && name_b ? *name_a == *name_b : a.name_sid[row_a] == b.name_sid[row_b];
}

/// Returns whether two rows of a map have the same meaning.
bool same_meaning(const Model& model, const Scope& scope, MapKind kind, RowRef a, RowRef b) {
  const Dump& dump_a = model.dumps[a.dump];
  const Dump& dump_b = model.dumps[b.dump];
  if (kind == MapKind::strings) return dump_a.strings.text[a.row] == dump_b.strings.text[b.row];
  if (kind == MapKind::types) return same_name(dump_a.types, a.row, dump_b.types, b.row, scope);
  return dump_a.nodes.parent[a.row] == dump_b.nodes.parent[b.row] &&
         same_name(dump_a.nodes, a.row, dump_b.nodes, b.row, scope);
}

/// The row's parent, if it is in the same dump.
std::optional<std::uint32_t> find_own_parent(const Dump& dump, const Scope& scope, std::uint64_t row) {
  if (dump.nodes.parent[row] == no_id) return std::nullopt;
  const auto parent = scope.find(MapKind::nodes, dump.nodes.parent[row]);
  return parent && parent->dump == scope.current() ? std::optional(parent->row) : std::nullopt;
}

/// Returns whether the ids rule out cycles because each parent has a lower id than its children, as in dumps
/// from Chrome.
bool has_lower_parents(const NodeMap& nodes) {
  bool is_lower = true;
  for (std::size_t row = 0; row < nodes.id.size(); ++row) {
    is_lower &= nodes.parent[row] < nodes.id[row] || nodes.parent[row] == no_id;
  }
  return is_lower;
}

/// Returns whether doubles can represent all ids of the map exactly.
bool has_exact_ids(const Map& map) {
  return std::ranges::all_of(map.id, [](std::uint64_t id) { return id <= largest_exact || id == no_id; });
}

void report_cycle(const Dump& dump, const Scope& scope, std::uint32_t start, core::FindingSink& sink) {
  std::uint64_t length = 1;
  std::uint32_t first = start;
  for (auto row = *find_own_parent(dump, scope, start); row != start;
       row = *find_own_parent(dump, scope, row)) {
    first = std::min(first, row);
    ++length;
  }
  const std::string message =
      length == 1 ? fmt::format("node {} is its own parent, expected a different node", dump.nodes.id[first])
                  : fmt::format("node {} is its own ancestor {} steps up, expected a path to a root",
                                dump.nodes.id[first], length);
  core::report_or_count(sink, {&rules::maps_cycle, locate(dump, MapKind::nodes, first, "parent"), message});
}

}  // namespace

bool check_ids(const Model& model, const Scope& scope, MapKind kind, core::FindingSink& sink) {
  const Dump& dump = model.dumps[scope.current()];
  const Map& map = map_of(dump, kind);
  if (!scope.is_repeated(kind) && has_exact_ids(map)) return true;
  bool is_good = true;
  for (std::uint32_t row = 0; row < map.id.size(); ++row) {
    const std::uint64_t id = map.id[row];
    if (id == no_id) continue;
    if (id > largest_exact) {
      core::report_or_count(sink, {&rules::maps_id_range, locate(dump, kind, row, "id"),
                                   fmt::format("found id {}, expected at most 2^53", id)});
    }
    const RowRef here{scope.current(), row};
    const RowRef last = *scope.find(kind, id);
    // Equal definitions are harmless, whichever one a reader uses.
    if (last == here || same_meaning(model, scope, kind, here, last)) continue;
    is_good = false;
    Finding finding{&rules::maps_duplicate_id, locate(dump, kind, row, "id"),
                    fmt::format("{} {} has two different definitions, expected one", noun_of(kind).one, id)};
    finding.related.push_back({locate(dump, kind, last.row, "id"), "the other definition"});
    core::report_or_count(sink, std::move(finding));
  }
  return is_good;
}

void check_cycles(const Dump& dump, const Scope& scope, core::FindingSink& sink) {
  if (has_lower_parents(dump.nodes)) return;
  // For each node, the walk that visited it. A walk ends when it reaches a node that was already visited.
  std::vector<std::uint32_t> walk(dump.nodes.id.size(), UINT32_MAX);
  for (std::uint32_t start = 0; start < walk.size(); ++start) {
    std::optional<std::uint32_t> row = start;
    while (row && walk[*row] == UINT32_MAX) {
      walk[*row] = start;
      row = find_own_parent(dump, scope, *row);
    }
    if (row && walk[*row] == start) report_cycle(dump, scope, *row, sink);
  }
}

bool check_redefined(const Model& model, const Scope& scope, MapKind kind, core::FindingSink& sink) {
  const Dump& dump = model.dumps[scope.current()];
  bool is_good = true;
  for (const auto& [before, now] : scope.redefined(kind)) {
    if (same_meaning(model, scope, kind, before, now)) continue;
    is_good = false;
    const std::uint64_t id = map_of(dump, kind).id[now.row];
    Finding finding{&rules::maps_redefined, locate(dump, kind, now.row, "id"),
                    fmt::format("{} {} has a different definition in an earlier dump, expected the same one",
                                noun_of(kind).one, id)};
    finding.related.push_back(
        {locate(model.dumps[before.dump], kind, before.row, "id"), "the earlier definition"});
    core::report_or_count(sink, std::move(finding));
  }
  return is_good;
}

}  // namespace heapcheck::validation::chrome::heaps_v2
