// Distinguishes a table that has lost rows from a single wrong index. Several indices past the end of a table
// produce one finding. Borrows the container and the tables.
#pragma once

#include <cstdint>

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/v1/container.hpp"
#include "formats/mvmheap/v1/part.hpp"
#include "validate/mvmheap/rules.hpp"

namespace heapcheck::validation::mvmheap::v1 {

namespace format = heapcheck::mvmheap::v1;

class TablesCount {
 public:
  TablesCount(const format::LineContainer& container, const model::Tables& tables)
      : container_(&container), tables_(&tables) {}

  /// mvm1.tables.count for the strings, using the indices in types and static frames.
  void check_strings(core::FindingSink& sink);
  /// mvm1.tables.count for the known tables, using the indices in a snapshot.
  void check_rows(const model::Snapshot& snapshot, const TablesKnown& known, core::FindingSink& sink);

  /// The tables in `known` that have not lost rows.
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
