// Tells a table that has lost rows from a single wrong index: many indices behind its end are one
// finding. Borrows what it is shown.
#pragma once

#include <cstdint>

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/v1/container.hpp"
#include "formats/mvmheap/v1/part.hpp"
#include "validate/mvmheap/snapshot_rules.hpp"

namespace heapcheck::validation::mvmheap::v1 {

namespace format = heapcheck::mvmheap::v1;

class TablesCount {
 public:
  TablesCount(const format::LineContainer& container, const model::Tables& tables)
      : container_(&container), tables_(&tables) {}

  /// mvm1.tables.count for the strings, by what types and static frames refer to.
  void check_strings(core::FindingSink& sink);
  /// mvm1.tables.count for types and static frames, by what the collectables of a snapshot refer to,
  /// where they are known.
  void check_rows(const model::Snapshot& snapshot, const TablesKnown& known, core::FindingSink& sink);

  /// Which of `known` have not lost rows.
  [[nodiscard]] TablesKnown keep(const TablesKnown& known) const {
    return {known.strings && hold_.strings, known.types && hold_.types, known.frames && hold_.frames};
  }

 private:
  bool report(format::LineKind kind, std::uint64_t largest, std::uint64_t count,
              core::FindingSink& sink) const;

  const format::LineContainer* container_;
  const model::Tables* tables_;
  TablesKnown hold_;
};

}  // namespace heapcheck::validation::mvmheap::v1
