#include "formats/chrome/heaps_v2/scope.hpp"

namespace heapcheck::chrome::heaps_v2 {

void Scope::enter(std::uint32_t dump) {
  current_ = dump;
  const Dump& now = model_->dumps[dump];
  define(MapKind::strings, now.strings);
  define(MapKind::types, now.types);
  define(MapKind::nodes, now.nodes);
  const EvidenceByKind evidence = find_evidence();
  use_ = find_use(evidence);
  for (std::size_t kind = 0; kind < map_count; ++kind) {
    const Evidence& one = evidence[kind];
    is_resolved_[kind] = one.missing == 0 && (one.earlier == 0 || use_ == MapUse::incremental);
  }
}

void Scope::define(MapKind kind, const Map& map) {
  IdTable& table = tables_[static_cast<std::size_t>(kind)];
  auto& redefined = redefined_[static_cast<std::size_t>(kind)];
  redefined.clear();
  bool is_repeated = false;
  table.expect(map.id);
  for (std::size_t row = 0; row < map.id.size(); ++row) {
    if (map.id[row] == no_id) continue;
    const RowRef made{current_, static_cast<std::uint32_t>(row)};
    const RowRef before = table.look_up(map.id[row]);
    if (before.dump == current_) {
      is_repeated = true;
    } else if (before.dump != UINT32_MAX) {
      redefined.emplace_back(before, made);
    }
    table.set(map.id[row], made);
  }
  is_repeated_[static_cast<std::size_t>(kind)] = is_repeated;
}

std::optional<core::PoolIndex> Scope::find_text(std::uint64_t sid) const {
  const auto found = find(MapKind::strings, sid);
  if (!found) return std::nullopt;
  return model_->dumps[found->dump].strings.text[found->row];
}

void Scope::count(MapKind kind, const std::vector<std::uint64_t>& ids, EvidenceByKind& evidence) const {
  // A row always has a type, and in-process writers use only 0 for an unknown type.
  const std::uint64_t nothing = kind == MapKind::types ? 0 : no_id;
  std::uint64_t own = 0;
  std::uint64_t none = 0;
  std::uint64_t missing = 0;
  for (const std::uint64_t id : ids) {
    const std::uint32_t dump = table(kind).look_up(id).dump;
    own += dump == current_ ? 1U : 0U;
    none += dump == UINT32_MAX ? 1U : 0U;
    missing += dump == UINT32_MAX && id != 0 && id != nothing ? 1U : 0U;
  }
  Evidence& to = evidence[static_cast<std::size_t>(kind)];
  to.own += own;
  to.earlier += ids.size() - own - none;
  to.missing += missing;
}

Scope::EvidenceByKind Scope::find_evidence() const {
  const Dump& now = model_->dumps[current_];
  EvidenceByKind evidence;
  count(MapKind::strings, now.types.name_sid, evidence);
  count(MapKind::strings, now.nodes.name_sid, evidence);
  count(MapKind::nodes, now.nodes.parent, evidence);
  for (const Heap& heap : now.heaps) {
    count(MapKind::nodes, heap[HeapColumn::nodes].values, evidence);
    count(MapKind::types, heap[HeapColumn::types].values, evidence);
  }
  return evidence;
}

/// Returns whether most ids of a map were already used in earlier dumps. If so, the writer restarts numbering
/// in each dump.
bool Scope::begins_anew(MapKind kind, const Map& map) const {
  return redefined(kind).size() > map.id.size() / 2;
}

/// A dump that refers to an earlier dump adds to the maps of that dump. There are two exceptions: the writer
/// restarts numbering in each dump, or all references of one kind lead to earlier dumps and no others do. In
/// both cases, references to an earlier dump are a sign of damage.
MapUse Scope::find_use(const EvidenceByKind& evidence) const {
  const Dump& now = model_->dumps[current_];
  Evidence all;
  std::size_t kinds = 0;
  for (const Evidence& one : evidence) {
    all.own += one.own;
    all.earlier += one.earlier;
    if (one.earlier != 0) ++kinds;
    if (one.earlier != 0 && one.own != 0) kinds = map_count;
  }
  if (all.earlier == 0) return MapUse::complete;
  const bool is_new = begins_anew(MapKind::types, now.types) || begins_anew(MapKind::nodes, now.nodes);
  const bool is_lost = kinds == 1 && now.nodes.id.size() > 1;
  return (is_new || is_lost) && all.earlier < all.own ? MapUse::complete : MapUse::incremental;
}

std::map<std::int64_t, std::vector<std::uint32_t>> find_processes(const Model& model) {
  std::map<std::int64_t, std::vector<std::uint32_t>> processes;
  for (std::uint32_t i = 0; i < model.dumps.size(); ++i) {
    processes[model.dumps[i].head.pid.value_or(0)].push_back(i);
  }
  return processes;
}

}  // namespace heapcheck::chrome::heaps_v2
