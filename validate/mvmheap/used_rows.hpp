// Finds strings, types and static frames that nothing in a file uses. MoarVM adds a row when it is first
// needed, so an unused row shows that whatever used it was changed. Applies to all versions of MoarVM dumps.
// Borrows the tables.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/core/finding_sink.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/mvmheap/part.hpp"
#include "validate/mvmheap/rules.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap {

class UsedRows {
 public:
  /// `about_totals` are the rules of a version about totals of collectables, which say nothing about strings.
  explicit UsedRows(const model::Tables& tables, std::span<const Rule* const> about_totals = {})
      : tables_(&tables), about_totals_(about_totals) {}

  /// Records the rows that the part uses, and the places of rows in the part that nothing has used so far.
  /// `is_name` tells which strings are names of references in its snapshot; null if the descriptions tell it.
  void add(const model::Part& part, const Locate& locate, const std::vector<std::uint8_t>* is_name = nullptr);
  /// Records the rows that a snapshot uses.
  void add_snapshot(const model::Snapshot& snapshot, const std::vector<std::uint8_t>* is_name = nullptr);
  /// Records the rows that the rows of the part use.
  void add_rows(const model::Part& part);
  /// Whether the tables have a row that is not used by any part added so far.
  [[nodiscard]] bool has_unused() const;
  /// Whether strings after the end of the table are used without a gap. If so, these strings are missing from
  /// the table, because a single wrong index could be any number.
  [[nodiscard]] bool lacks_strings() const;
  /// Reports mvm.strings.unused, mvm.types.unused and mvm.frames.unused, at most once each. Reports none if
  /// the tables have placeholders, or if another violation could have the same cause. The file must have been
  /// read completely.
  void check(std::span<const Rule* const> violated, core::FindingSink& sink) const;

 private:
  struct Unused {
    std::uint64_t row;
    Location place;
  };
  struct Table {
    std::vector<std::uint8_t> used;  // for each row
    std::uint64_t most = 1U << 16;   // the largest size of `used`; see allow()
    std::vector<Unused> candidates;  // rows that were unused when they were added

    void use(std::uint64_t index) {
      if (index < used.size())
        used[static_cast<std::size_t>(index)] = 1;
      else
        use_later(index);
    }
    /// Lets `used` grow to the size of the table, or as far beyond it as `uses` further uses of rows can
    /// explain. MoarVM numbers rows in the order in which they are first used, so an index far above the
    /// number of uses is wrong and must not determine how much memory is allocated.
    void allow(std::uint64_t rows, std::uint64_t uses);
    /// Marks a row that is not yet in `used` as used.
    void use_later(std::uint64_t index);
    /// The number of rows up to and including the last used one.
    [[nodiscard]] std::uint64_t find_end() const;
    [[nodiscard]] std::uint64_t count_unused(std::uint64_t rows) const;
    [[nodiscard]] bool is_used(std::uint64_t index) const { return index < used.size() && used[index] != 0; }
    void note_unused(std::uint64_t first, std::uint64_t last, Field field, const Locate& locate);
  };

  void add_names(const model::References& references);
  /// The strings, with the names that intact dumps need not use marked as used.
  [[nodiscard]] Table use_early_names() const;
  static void report(const Table& table, std::uint64_t rows, const Rule& rule, core::Noun noun,
                     core::FindingSink& sink);

  const model::Tables* tables_;
  std::span<const Rule* const> about_totals_;
  Table strings_;
  Table types_;
  Table frames_;
  bool has_snapshots_ = false;
};

}  // namespace heapcheck::validation::mvmheap
