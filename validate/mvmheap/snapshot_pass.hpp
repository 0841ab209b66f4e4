// Checks the columns of a snapshot as they pass: what the rules need of them is proved, added up or noted
// while they are read, so that a valid dump is checked without holding its references and sizes. Where a
// proof fails, the rules need the columns themselves, and the dump must be read again (see
// spec/mvmheap/columns.md).
#pragma once

#include <functional>
#include <optional>

#include "formats/mvmheap/column_pass.hpp"
#include "formats/mvmheap/kept_dump.hpp"
#include "formats/mvmheap/part.hpp"
#include "formats/mvmheap/summary.hpp"
#include "validate/mvmheap/graph_facts.hpp"
#include "validate/mvmheap/graph_pass.hpp"

namespace heapcheck::validation::mvmheap {

/// Which columns of a snapshot are in memory once it has been read.
enum class Columns : std::uint8_t {
  needed,  ///< only those that rules need although nothing is wrong
  all,
};

/// The result of checking a dump.
struct CheckedDump {
  std::optional<heapcheck::mvmheap::KeptDump> kept;
  /// Whether rules need columns that were not held. If so, the findings are incomplete, and the dump must be
  /// checked again with all columns.
  bool needs_columns = false;
};

class SnapshotPass final : public heapcheck::mvmheap::ColumnPass {
 public:
  SnapshotPass(Columns columns, heapcheck::mvmheap::Shares shares, std::uint64_t least = least_passed)
      : columns_(columns), shares_(shares), least_(least), graph_(least), summary_(shares) {}

  /// Prepares for the next part.
  void begin();
  void take(heapcheck::mvmheap::Snapshot& snapshot) override;
  [[nodiscard]] bool forgets() const override { return columns_ == Columns::needed; }

  /// The facts of a snapshot that has been read. All columns of a table must have the same length.
  [[nodiscard]] SnapshotFacts finish(heapcheck::mvmheap::Snapshot& snapshot,
                                     const heapcheck::mvmheap::TableCounts& known);
  /// For each string whether it is the name of a reference in the finished snapshot. Null if this was not
  /// found out, in which case the descriptions are held or needs_columns() is true.
  [[nodiscard]] const std::vector<std::uint8_t>* names() const { return graph_.names(); }

  /// Notes that the rules need all columns unless these facts are all that they need.
  void demand_columns_unless(bool are_facts_enough) {
    needs_columns_ = needs_columns_ || (forgets() && !are_facts_enough);
  }
  /// Whether rules need columns that are not held.
  [[nodiscard]] bool needs_columns() const { return needs_columns_; }
  /// Whether they do, or a value of the snapshot that is not held was asked for while it was read and
  /// checked. No result of the check counts then.
  [[nodiscard]] bool needs_columns(const heapcheck::mvmheap::Snapshot& snapshot);

 private:
  void sum_up(const heapcheck::mvmheap::Snapshot& snapshot, bool is_at_end);
  void forget(heapcheck::mvmheap::Snapshot& snapshot);

  Columns columns_;
  heapcheck::mvmheap::Shares shares_;
  std::uint64_t least_;
  GraphPass graph_;
  heapcheck::mvmheap::SummaryBuilder summary_;
  bool is_summed_ = true;  // whether the summary contains all rows that have passed
  bool needs_columns_ = false;
};

/// Whether no rule looks at a column of references or sizes in a snapshot with these facts. `strings` is the
/// number of strings known, or UINT64_MAX.
[[nodiscard]] bool are_enough(const SnapshotFacts& facts, const heapcheck::mvmheap::Snapshot& snapshot,
                              std::uint64_t strings);

}  // namespace heapcheck::validation::mvmheap
