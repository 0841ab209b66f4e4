// Recovers what is whole in a damaged MoarVM dump: the first reading decides which snapshots are kept
// (whole, sound by the rules of the graph, names known), the second one writes them with new tables
// of contents, totals and highscores. Borrows source, sink and limits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/core/output_file.hpp"
#include "formats/core/source.hpp"
#include "formats/mvmheap/version.hpp"
#include "formats/open.hpp"
#include "heapcheck/format.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::recovery::mvmheap {

struct RecoverOptions {
  Limits limits;
  bool is_damaged = false;       ///< whether a check found errors in the dump, which need not show again
  std::optional<Target> target;  ///< the input's own version where it is not given
  /// Keeps snapshots whose names are lost, with placeholders. Done without asking where a file has
  /// its tables behind all snapshots and was cut before them: nothing would be left.
  bool placeholder_names = false;
  heapcheck::mvmheap::WriteOptions write;
};

struct Amounts {
  std::uint64_t snapshots = 0;
  std::uint64_t collectables = 0;
  std::uint64_t references = 0;

  Amounts& operator+=(const Amounts& other) {
    snapshots += other.snapshots;
    collectables += other.collectables;
    references += other.references;
    return *this;
  }
};

struct DroppedSnapshot {
  std::uint64_t index = 0;  ///< in the damaged file
  std::string reason;       ///< a few words
};

/// What was kept and what was not.
struct Recovery {
  Target target{Format::mvmheap_v3};
  Amounts kept;
  Amounts dropped;  ///< as far as they could be read
  std::vector<DroppedSnapshot> dropped_snapshots;
  heapcheck::mvmheap::TableCounts rows;          ///< of the tables written
  heapcheck::mvmheap::TableCounts placeholders;  ///< of these, rows whose names are placeholders
  std::uint64_t rebuilt_metas = 0;               ///< snapshots whose metadata did not hold, or that had none
  std::uint64_t replaced_metas = 0;              ///< of these, snapshots that had some
  std::vector<Loss> losses;                      ///< what the target cannot hold of what is kept

  /// Whether something is not there any more or is not what it was.
  [[nodiscard]] bool has_lost() const {
    return !dropped_snapshots.empty() || placeholders != heapcheck::mvmheap::TableCounts{} ||
           replaced_metas != 0 || !losses.empty();
  }
};

/// Writes what is whole in `dump` to `out`; nothing at all where a damaged dump has no snapshot that can be
/// kept. Errors: unreadable, where it is no MoarVM dump; limit; unwritable.
Result<Recovery> recover(const formats::RereadableDump& dump, const RecoverOptions& options,
                         core::ByteSink& out);

}  // namespace heapcheck::recovery::mvmheap
