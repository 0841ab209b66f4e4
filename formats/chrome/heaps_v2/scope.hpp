// Resolves the ids of dumps. A writer either puts complete maps into every dump, in which case it may reuse
// ids with a different meaning, or makes each dump add to the maps of earlier dumps of the process. The dumps
// themselves show which method the writer uses. Borrows the model. spec: chrome/heaps_v2.md#resolving
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "formats/chrome/heaps_v2/id_table.hpp"
#include "formats/chrome/heaps_v2/model.hpp"

namespace heapcheck::chrome::heaps_v2 {

enum class MapKind : std::uint8_t { nodes, types, strings };
inline constexpr std::size_t map_count = 3;
/// All kinds, in the order in which they are checked.
inline constexpr std::array<MapKind, map_count> map_kinds{MapKind::strings, MapKind::types, MapKind::nodes};

/// The maps in which a dump's ids are resolved.
enum class MapUse : std::uint8_t {
  complete,     ///< only in its own maps
  incremental,  ///< in its own maps, then in the maps of earlier dumps of the process
};

/// The ids of one process, one dump at a time.
class Scope {
 public:
  explicit Scope(const Model& model) : model_(&model) {}

  /// Makes `dump` the current dump. `dump` is an index into Model::dumps that must be higher than all indices
  /// entered before.
  void enter(std::uint32_t dump);

  [[nodiscard]] MapUse use() const { return use_; }
  [[nodiscard]] std::uint32_t current() const { return current_; }
  /// The row that defines an id of the current dump.
  [[nodiscard]] std::optional<RowRef> find(MapKind kind, std::uint64_t id) const {
    const auto found = table(kind).find(id);
    return found && (found->dump == current_ || use_ == MapUse::incremental) ? found : std::nullopt;
  }
  /// The row that defines an id in any dump so far, even if the current dump does not use the maps of earlier
  /// dumps.
  [[nodiscard]] std::optional<RowRef> find_anywhere(MapKind kind, std::uint64_t id) const {
    return table(kind).find(id);
  }
  /// Rows of earlier dumps whose ids the current dump redefines, each paired with the row of the current
  /// dump.
  [[nodiscard]] const std::vector<std::pair<RowRef, RowRef>>& redefined(MapKind kind) const {
    return redefined_[static_cast<std::size_t>(kind)];
  }
  /// Whether a map of the current dump defines an id more than once.
  [[nodiscard]] bool is_repeated(MapKind kind) const { return is_repeated_[static_cast<std::size_t>(kind)]; }
  /// Whether every reference from the current dump to a map leads to a row, other than references that may
  /// mean "none": 0 and, except for types, no_id. If so, no check has to look up each id again.
  [[nodiscard]] bool is_resolved(MapKind kind) const { return is_resolved_[static_cast<std::size_t>(kind)]; }
  /// The text of the string with this id, or nothing if there is no such string.
  [[nodiscard]] std::optional<core::PoolIndex> find_text(std::uint64_t sid) const;
  /// The name of a row of `nodes` or `types` in the current dump.
  [[nodiscard]] std::optional<core::PoolIndex> find_name(const TypeMap& map, std::uint64_t row) const {
    if (!map.text.empty() && map.text[row] != no_text) return map.text[row];
    return find_text(map.name_sid[row]);
  }

 private:
  /// How many references in the current dump lead to its own maps, to earlier maps, and nowhere.
  struct Evidence {
    std::uint64_t own = 0;
    std::uint64_t earlier = 0;
    std::uint64_t missing = 0;  // not counting ids that may mean "none"
  };
  /// The evidence from references to each kind of map.
  using EvidenceByKind = std::array<Evidence, map_count>;

  [[nodiscard]] const IdTable& table(MapKind kind) const { return tables_[static_cast<std::size_t>(kind)]; }
  void define(MapKind kind, const Map& map);
  void count(MapKind kind, const std::vector<std::uint64_t>& ids, EvidenceByKind& evidence) const;
  [[nodiscard]] EvidenceByKind find_evidence() const;
  [[nodiscard]] bool begins_anew(MapKind kind, const Map& map) const;
  [[nodiscard]] MapUse find_use(const EvidenceByKind& evidence) const;

  const Model* model_;
  std::uint32_t current_ = UINT32_MAX;
  MapUse use_ = MapUse::complete;
  std::array<IdTable, map_count> tables_;
  std::array<bool, map_count> is_repeated_{};
  std::array<bool, map_count> is_resolved_{};
  std::array<std::vector<std::pair<RowRef, RowRef>>, map_count> redefined_;  // old, new
};

/// Returns whether the id may mean the empty stack if no node has that id. This applies to 0, and to -1 in 32
/// or 64 bits.
[[nodiscard]] constexpr bool may_be_no_stack(std::uint64_t id) {
  return id == 0 || id == no_id || id == UINT32_MAX;
}

/// The dumps of each process, as indices into Model::dumps, in the order of the trace.
[[nodiscard]] std::map<std::int64_t, std::vector<std::uint32_t>> find_processes(const Model& model);

}  // namespace heapcheck::chrome::heaps_v2
