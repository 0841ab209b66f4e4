
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "formats/core/finding_groups.hpp"
#include "validate/chrome/heaps_v2/map_rules.hpp"
#include "validate/chrome/heaps_v2/rules.hpp"

namespace heapcheck::validation::chrome::heaps_v2 {
namespace {

using heapcheck::chrome::heaps_v2::map_kinds;
using heapcheck::chrome::heaps_v2::MapUse;
using heapcheck::chrome::heaps_v2::may_be_no_stack;
using heapcheck::chrome::heaps_v2::no_id;
using heapcheck::chrome::heaps_v2::no_text;
using heapcheck::chrome::heaps_v2::TypeMap;

/// A row that refers to an id: a row of a heap or, if there is no heap, a row of a map.
struct Reference {
  const Heap* heap = nullptr;
  MapKind map = MapKind::nodes;
  std::uint64_t row = 0;
};

/// The references to a missing id.
struct Missing {
  Reference first;
  std::uint64_t count = 0;
};
using MissingIds = std::map<std::uint64_t, Missing>;

void add(MissingIds& ids, std::uint64_t id, Reference reference) {
  Missing& missing = ids[id];
  if (missing.count++ == 0) missing.first = reference;
}

bool is_known(const Scope& scope, MapKind kind, std::uint64_t id) { return scope.find(kind, id).has_value(); }

/// Finds missing strings. In-process writers use 0 if there is no name.
MissingIds find_missing_strings(const Dump& dump, const Scope& scope) {
  MissingIds ids;
  const auto look = [&](const TypeMap& map, MapKind kind) {
    for (std::uint64_t row = 0; row < map.id.size(); ++row) {
      const std::uint64_t sid = map.name_sid[row];
      const bool has_text = !map.text.empty() && map.text[row] != no_text;
      if (has_text || sid == 0 || sid == no_id || is_known(scope, MapKind::strings, sid)) continue;
      add(ids, sid, {nullptr, kind, row});
    }
  };
  look(dump.nodes, MapKind::nodes);
  look(dump.types, MapKind::types);
  return ids;
}

/// Finds missing nodes, counting references from parents first.
MissingIds find_missing_nodes(const Dump& dump, const Scope& scope, const std::vector<bool>& usable) {
  MissingIds ids;
  for (std::uint64_t row = 0; row < dump.nodes.id.size(); ++row) {
    const std::uint64_t parent = dump.nodes.parent[row];
    if (parent == 0 || parent == no_id || is_known(scope, MapKind::nodes, parent)) continue;
    add(ids, parent, {nullptr, MapKind::nodes, row});
  }
  for (std::size_t i = 0; i < dump.heaps.size(); ++i) {
    if (!usable[i]) continue;
    const auto& nodes = dump.heaps[i][HeapColumn::nodes].values;
    for (std::uint64_t row = 0; row < nodes.size(); ++row) {
      if (is_known(scope, MapKind::nodes, nodes[row]) || may_be_no_stack(nodes[row])) continue;
      add(ids, nodes[row], {&dump.heaps[i], MapKind::nodes, row});
    }
  }
  return ids;
}

/// Finds missing types. In-process writers use 0 for memory of unknown type.
MissingIds find_missing_types(const Dump& dump, const Scope& scope, const std::vector<bool>& usable) {
  MissingIds ids;
  for (std::size_t i = 0; i < dump.heaps.size(); ++i) {
    if (!usable[i]) continue;
    const auto& types = dump.heaps[i][HeapColumn::types].values;
    for (std::uint64_t row = 0; row < types.size(); ++row) {
      if (types[row] == 0 || is_known(scope, MapKind::types, types[row])) continue;
      add(ids, types[row], {&dump.heaps[i], MapKind::types, row});
    }
  }
  return ids;
}

const Rule& rule_for(MapKind kind, const Reference& reference) {
  if (kind == MapKind::strings) return rules::maps_dangling_string;
  if (kind == MapKind::types) return rules::rows_dangling_type;
  return reference.heap != nullptr ? rules::rows_dangling_node : rules::maps_dangling_parent;
}

Location locate(const Dump& dump, MapKind kind, const Reference& reference) {
  if (reference.heap != nullptr) {
    const HeapColumn column = kind == MapKind::nodes ? HeapColumn::nodes : HeapColumn::types;
    return heaps_v2::locate(dump, *reference.heap, column, reference.row);
  }
  return heaps_v2::locate(dump, reference.map, reference.row,
                          kind == MapKind::strings ? "name_sid" : "parent");
}

void report(const Dump& dump, const Scope& scope, MapKind kind, std::uint64_t id, const Missing& missing,
            core::FindingSink& sink) {
  const bool is_one = missing.count == 1;
  const bool is_elsewhere = scope.find_anywhere(kind, id).has_value();
  core::report_or_count(
      sink,
      {&rule_for(kind, missing.first), locate(dump, kind, missing.first),
       fmt::format("{} to {} {}, expected that {} in the maps{}",
                   is_one ? "1 row refers" : fmt::format("{} rows refer", missing.count), noun_of(kind).one,
                   id, noun_of(kind).one, is_elsewhere ? " (only another dump has it)" : "")});
}

using MissingByKind = std::array<MissingIds, map_count>;

std::size_t place(MapKind kind) { return static_cast<std::size_t>(kind); }

MissingByKind find_missing(const Dump& dump, const Scope& scope, const std::vector<bool>& usable) {
  MissingByKind missing;
  for (const MapKind kind : map_kinds) {
    if (scope.is_resolved(kind)) continue;
    missing[place(kind)] = kind == MapKind::strings ? find_missing_strings(dump, scope)
                           : kind == MapKind::types ? find_missing_types(dump, scope, usable)
                                                    : find_missing_nodes(dump, scope, usable);
  }
  return missing;
}

/// Returns whether the maps of the dump must be complete, because it redefines ids of earlier dumps.
bool stands_alone(const Scope& scope) {
  return scope.use() == MapUse::complete && !scope.redefined(MapKind::types).empty();
}

/// Drops ids that may only be missing because of a fault that was already reported.
void drop_followers(const Dump& dump, const Scope& scope, const History& history, MissingByKind& missing,
                    core::FindingSink& sink) {
  for (const MapKind kind : map_kinds) {
    const bool is_broken =
        history.is_broken[place(kind)] || (history.was_broken[place(kind)] && !stands_alone(scope));
    if (!is_broken || missing[place(kind)].empty()) continue;
    missing[place(kind)].clear();
    sink.skip({heaps_v2::locate(dump, kind).path, "the missing ids may be a consequence of other findings"});
  }
}

/// Reports a single finding for all maps that are missing entirely.
void check_missing_maps(const Dump& dump, const Scope& scope, MissingByKind& missing, History& history,
                        core::FindingSink& sink) {
  std::vector<MapKind> lost;
  std::string names;
  for (const MapKind kind : map_kinds) {
    const std::size_t ids = missing[place(kind)].size();
    // If the maps add to those of earlier dumps, a single missing id may be a wrong id.
    const bool is_lost = ids > 1 || (ids == 1 && scope.use() == MapUse::complete);
    if (!is_lost || !map_of(dump, kind).id.empty()) continue;
    missing[place(kind)].clear();
    history.is_broken[place(kind)] = true;
    lost.push_back(kind);
    names += fmt::format("{}`{}`", names.empty() ? "" : " or ", noun_of(kind).many);
  }
  if (lost.empty()) return;
  Location location = heaps_v2::locate(dump, lost[0]);
  if (lost.size() > 1) location = heaps_v2::locate(dump);
  core::report_or_count(
      sink, {&rules::maps_missing, std::move(location),
             fmt::format("the maps have no {}, expected those that other parts refer to", names)});
}

/// The number of references to nodes and types that are defined.
std::uint64_t count_found(const Dump& dump, const Scope& scope) {
  std::uint64_t count = 0;
  const auto look = [&](MapKind kind, const std::vector<std::uint64_t>& ids) {
    for (const std::uint64_t id : ids) count += is_known(scope, kind, id) ? 1U : 0U;
  };
  look(MapKind::nodes, dump.nodes.parent);
  for (const Heap& heap : dump.heaps) {
    look(MapKind::nodes, heap[HeapColumn::nodes].values);
    look(MapKind::types, heap[HeapColumn::types].values);
  }
  return count;
}

/// Reports one finding if most of the ids to which the dump refers are missing. This means that the earlier
/// dump whose maps it extends was lost.
bool check_lost_dump(const Dump& dump, const Scope& scope, MissingByKind& missing, History& history,
                     core::FindingSink& sink) {
  std::uint64_t ids = 0;
  std::uint64_t references = 0;
  for (const MapKind kind : {MapKind::nodes, MapKind::types}) {
    ids += missing[place(kind)].size();
    for (const auto& [id, one] : missing[place(kind)]) references += one.count;
  }
  const bool has_both =
      ids > missing[place(MapKind::nodes)].size() && !missing[place(MapKind::nodes)].empty();
  const bool is_most = ids > 1 && references > count_found(dump, scope);
  if (!is_most && (!has_both || stands_alone(scope))) return false;
  core::report_or_count(
      sink, {&rules::maps_missing, heaps_v2::locate(dump),
             fmt::format("rows refer to {} ids that are in no dump of the process so far, expected "
                         "an earlier dump with this `pid` and these ids",
                         ids)});
  for (const MapKind kind : map_kinds) missing[place(kind)].clear();
  history.is_broken.fill(true);
  return true;
}

/// Drops ids that were already reported. With incremental maps, each id is reported only once.
void drop_reported(const Scope& scope, History& history, MissingByKind& missing) {
  for (const MapKind kind : map_kinds) {
    std::erase_if(missing[place(kind)], [&](const auto& entry) {
      const bool is_new = history.missing[place(kind)].insert(entry.first).second;
      return !is_new && scope.use() == MapUse::incremental;
    });
  }
}

/// Reports one finding if many ids are missing because part of the maps is lost or because the rows belong to
/// another dump.
bool check_many(const Dump& dump, const MissingByKind& missing, core::FindingSink& sink) {
  std::uint64_t ids = 0;
  std::optional<MapKind> only;
  for (const MapKind kind : map_kinds) {
    if (missing[place(kind)].empty()) continue;
    only = ids == 0 ? std::optional(kind) : std::nullopt;
    ids += missing[place(kind)].size();
  }
  if (ids <= core::few_violations) return false;
  core::report_or_count(
      sink, {&rules::maps_missing, only ? heaps_v2::locate(dump, *only) : heaps_v2::locate(dump),
             fmt::format("the maps lack {} {} that other parts refer to, expected a definition of each", ids,
                         only ? noun_of(*only).many : "ids")});
  return true;
}

}  // namespace

bool check_references(const Dump& dump, const Scope& scope, const std::vector<bool>& usable, History& history,
                      core::FindingSink& sink) {
  MissingByKind missing = find_missing(dump, scope, usable);
  drop_followers(dump, scope, history, missing, sink);
  check_missing_maps(dump, scope, missing, history, sink);
  if (check_lost_dump(dump, scope, missing, history, sink)) return false;
  drop_reported(scope, history, missing);
  if (check_many(dump, missing, sink)) return false;
  for (const MapKind kind : map_kinds) {
    for (const auto& [id, one] : missing[place(kind)]) report(dump, scope, kind, id, one, sink);
  }
  return true;
}

}  // namespace heapcheck::validation::chrome::heaps_v2
