// Finds the row at which nodes and edges stop fitting together, for findings about counts and lengths that
// are wrong. Takes time linear in the size of the snapshot, and is needed only for damaged files. spec:
// v8/heapsnapshot.md#document
#pragma once

#include <optional>

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consistency {

struct RowPlace {
  Section section;
  std::uint64_t row = 0;
};

/// The first row of `nodes` or `edges` with a value that its column cannot have; the section may have a wrong
/// length. A number is missing, or one too many, in this row or shortly before it.
[[nodiscard]] std::optional<RowPlace> find_misaligned_row(const Snapshot& snapshot, Section section);

/// The first row that shows that rows of `section`, nodes or edges, are missing or too many; both sections
/// must be sound. If the section is edges, that can be the first edge of a node that has the wrong ones.
[[nodiscard]] std::optional<RowPlace> find_miscounted_row(const Snapshot& snapshot, Section section);

/// The first node with the edges of another node.
[[nodiscard]] std::optional<RowPlace> find_misassigned_node(const Snapshot& snapshot);

/// The location of a row, even if the rows after it are misaligned.
[[nodiscard]] Location locate(const Snapshot& snapshot, const RowPlace& place);

}  // namespace heapcheck::validation::v8::heapsnapshot::consistency
