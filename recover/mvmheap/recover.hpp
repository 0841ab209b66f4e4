// Recovers the intact snapshots of a damaged MoarVM dump: the first pass decides which snapshots to keep
// (complete, with a sound graph and known names), and the second pass writes them with new tables of
// contents, totals and highscores. Borrows the source, the sink and the limits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/core/checked.hpp"
#include "formats/core/output/output_file.hpp"
#include "formats/core/source.hpp"
#include "formats/mvmheap/version.hpp"
#include "formats/open.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::recovery::mvmheap {

struct RecoverOptions {
  Limits limits;
  bool is_damaged = false;  ///< whether a check found errors in the dump; reading may not find them again
  /// Whether text mode added bytes to the file, and a check found no other errors.
  bool is_text_mode = false;
  std::optional<Target> target;  ///< the target to write; if empty, the version of the input
  /// Whether to keep snapshots whose names are lost, with placeholders. If the tables of a file come after
  /// all snapshots and the file was truncated before them, such snapshots are always kept, because otherwise
  /// nothing would be left.
  bool placeholder_names = false;
  bool allow_loss = true;  ///< whether to write even if `target` cannot represent everything that is kept
  heapcheck::mvmheap::WriteOptions write;
};

struct Amounts {
  std::uint64_t snapshots = 0;
  std::uint64_t collectables = 0;
  std::uint64_t references = 0;
  bool is_all_collectables = true;  ///< if false, there may be more collectables than were read
  bool is_all_references = true;

  Amounts& operator+=(const Amounts& other) {
    snapshots += other.snapshots;
    collectables += other.collectables;
    references = core::saturating_add(references, other.references);
    is_all_collectables = is_all_collectables && other.is_all_collectables;
    is_all_references = is_all_references && other.is_all_references;
    return *this;
  }
};

struct DroppedSnapshot {
  std::uint64_t index = 0;  ///< the index in the damaged file
  std::string reason;       ///< a few words
};

/// How much data was kept and dropped, and which changes were made.
struct Recovery {
  Target target{Format::mvmheap_v3};
  Amounts kept;
  Amounts dropped;  ///< relative to the amounts that the file states or, if it does not state them, that
                    ///< could be read
  std::vector<DroppedSnapshot> dropped_snapshots;  ///< dropped snapshots of which a part was found
  heapcheck::mvmheap::TableCounts rows;            ///< the rows in the tables that were written
  heapcheck::mvmheap::TableCounts placeholders;    ///< the number of these rows that are placeholders
  std::uint64_t rebuilt_metas = 0;                 ///< the number of snapshots whose metadata was wrong or
                                                   ///< missing
  std::uint64_t replaced_metas = 0;                ///< the number of these whose metadata was wrong
  std::vector<Loss> losses;                        ///< kept data that the target cannot represent
  bool is_refused = false;                         ///< whether nothing was written because of these losses

  /// Returns whether anything was lost or changed.
  [[nodiscard]] bool has_lost() const {
    return dropped.snapshots != 0 || !dropped_snapshots.empty() ||
           placeholders != heapcheck::mvmheap::TableCounts{} || replaced_metas != 0 || !losses.empty();
  }
};

/// Writes the intact snapshots of `dump` to `out`. Writes nothing if no snapshot of a damaged dump can be
/// kept, or if writing the target would involve a loss that the options do not allow. Errors: unreadable if
/// it is not a MoarVM dump; limit; unwritable.
Result<Recovery> recover(const formats::RereadableDump& dump, const RecoverOptions& options,
                         core::ByteSink& out);

}  // namespace heapcheck::recovery::mvmheap
