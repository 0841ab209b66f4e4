// Recovers the intact parts of a damaged V8 heap snapshot or timeline: nodes, the edges between them, and the
// complete rows of other sections that refer only to kept content. spec: v8/heapsnapshot.md#recovery
#pragma once

#include <algorithm>
#include <cstdint>

#include "formats/core/output/output_file.hpp"
#include "formats/core/source.hpp"
#include "formats/model.hpp"
#include "formats/v8/heapsnapshot/model.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {

/// The amounts of kept, repaired and dropped content.
struct Recovery {
  std::uint64_t kept_nodes = 0;  ///< including placeholders
  std::uint64_t kept_edges = 0;
  /// How many of the nodes and edges that were kept are next to damage, and so are likely but not certain to
  /// be correct.
  std::uint64_t likely_nodes = 0;
  std::uint64_t likely_edges = 0;
  std::uint64_t placeholders = 0;   ///< the number of nodes among `kept_nodes` that replace lost nodes
  std::uint64_t dropped_nodes = 0;  ///< out of those that the header counts or that could be read
  std::uint64_t dropped_edges = 0;
  std::uint64_t dropped_rows = 0;    ///< rows of other sections, out of those that could be read
  std::uint64_t added_sections = 0;  ///< the number of sections that were not reached and are now empty
  /// The number of changes to the kept content: to numbers, types, ids, calls, the names of columns, and the
  /// root.
  std::uint64_t changed_values = 0;
  std::uint64_t uncounted_functions = 0;  ///< the number of kept functions that the header did not count
  std::uint64_t added_types = 0;          ///< the number of node types that `meta` does not name, as in
                                          ///< Node.js 6.9 to 9
  std::uint64_t lost_names = 0;           ///< the number of names that are now placeholders
  std::uint64_t doubled_strings = 0;      ///< the number of strings removed because they were in the table
                                          ///< twice
  std::uint64_t lost_members = 0;         ///< the number of dropped members, which V8 does not write

  /// The number of kept nodes that are in the file; if it is 0, nothing is written.
  [[nodiscard]] std::uint64_t real_nodes() const { return kept_nodes - placeholders; }
  /// Whether any content was dropped or changed. Correcting the count of functions and adding a name for the
  /// symbol type do not count as losses.
  [[nodiscard]] bool has_lost() const {
    return std::max({placeholders, dropped_nodes, dropped_edges, dropped_rows, added_sections, changed_values,
                     lost_names, doubled_strings, lost_members}) != 0;
  }
};

/// Turns a damaged snapshot into a sound one, or leaves it unchanged if no node can be kept. Takes linear
/// time, except for sorting ids. Needs additional memory for a copy of nodes or edges, and for the names that
/// replace lost ones. Errors: limit if there are too many lost names, in which case the snapshot must no
/// longer be used.
Result<Recovery> repair(heapcheck::v8::heapsnapshot::Snapshot& snapshot, const Limits& limits);

/// Writes the intact parts of the snapshot in `source` to `out`. Writes nothing if no node is intact. If the
/// snapshot is incomplete, it is read a second time. Consumes `content`, which may contain the model if that
/// was read before. Errors: limit; unwritable; unreadable if the source cannot be read.
Result<Recovery> recover(core::SeekableSource& source, formats::Content& content, const Limits& limits,
                         core::ByteSink& out);

}  // namespace heapcheck::recovery::v8::heapsnapshot
