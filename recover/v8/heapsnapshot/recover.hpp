// Recovers what is whole in a damaged heap snapshot or timeline of V8: nodes, the edges between them, and
// the whole rows of everything else that lead to what is there. spec: v8/heapsnapshot.md#recovery
#pragma once

#include <algorithm>
#include <cstdint>

#include "formats/core/output_file.hpp"
#include "formats/core/source.hpp"
#include "formats/model.hpp"
#include "formats/v8/heapsnapshot/model.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {

/// What was kept and what was not.
struct Recovery {
  std::uint64_t kept_nodes = 0;  ///< 0: nothing is written
  std::uint64_t kept_edges = 0;
  std::uint64_t dropped_nodes = 0;  ///< as the header counts them, or as far as they could be read
  std::uint64_t dropped_edges = 0;
  std::uint64_t dropped_rows = 0;    ///< of other sections, as far as they could be read
  std::uint64_t added_sections = 0;  ///< which were not reached, now empty
  std::uint64_t changed_values =
      0;  ///< of what is kept: numbers, types, ids, calls, names of columns, the root
  std::uint64_t uncounted_functions = 0;  ///< of those kept, that the header did not count
  std::uint64_t lost_names = 0;           ///< strings that are placeholders now
  std::uint64_t lost_members = 0;         ///< that V8 does not write

  /// Whether something is not there any more or is not what it was. That functions are counted is no loss.
  [[nodiscard]] bool has_lost() const {
    return std::max({dropped_nodes, dropped_edges, dropped_rows, added_sections, changed_values, lost_names,
                     lost_members}) != 0;
  }
};

/// Makes a sound snapshot of what was read of one; where it keeps no node, it stays what it was. Linear in it
/// but for sorting ids. Takes as much memory again as the largest column, a bit an edge, and what the names
/// that are lost take. Errors: limit, where these are too many; then it must not be used.
Result<Recovery> repair(heapcheck::v8::heapsnapshot::Snapshot& snapshot, const Limits& limits);

/// Writes what is whole in the snapshot that `source` holds to `out`; nothing at all where no node is. What
/// was read of it before may be in `content`, and is used up. Errors: limit; unwritable; unreadable, where
/// the source cannot be read.
Result<Recovery> recover(core::SeekableSource& source, formats::Content& content, const Limits& limits,
                         core::ByteSink& out);

}  // namespace heapcheck::recovery::v8::heapsnapshot
