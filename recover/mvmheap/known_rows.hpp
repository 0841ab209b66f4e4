// The rows of the shared tables that recovery can use: those at the start of each table that were read
// completely. Single rows among them that violate rules are lost, and get placeholders. Borrows the tables.
#pragma once

#include <cstdint>
#include <set>

#include "formats/mvmheap/part.hpp"
#include "validate/mvmheap/table_rules.hpp"

namespace heapcheck::recovery::mvmheap {

namespace model = heapcheck::mvmheap;

/// Indices of rows.
struct LostRows {
  std::set<std::uint64_t> strings;
  std::set<std::uint64_t> types;
  std::set<std::uint64_t> static_frames;

  [[nodiscard]] std::uint64_t count() const { return strings.size() + types.size() + static_frames.size(); }
};

class KnownRows {
 public:
  /// `is_damaged`: whether the dump has errors. If it has none, rows that only raise warnings are kept.
  KnownRows(const model::Tables& tables, bool is_damaged)
      : rules_(tables), tables_(&tables), is_damaged_(is_damaged) {}

  /// Adds all rows as one part.
  void add_all(const model::TableCounts& counts);
  void add(const model::Part& part);

  /// The number of rows at the start of each table that were read completely.
  [[nodiscard]] const model::TableCounts& counts() const { return counts_; }
  /// The rows among them that are lost.
  [[nodiscard]] const LostRows& lost() const { return lost_; }

 private:
  using Rows = std::set<std::uint64_t>;
  void add_strings(const model::Part& part);
  void add_types(const model::Part& part);
  void add_frames(const model::Part& part);
  [[nodiscard]] bool uses_last_string(const model::Part& part) const;
  [[nodiscard]] bool spans_strings(std::uint64_t index) const;

  validation::mvmheap::TableRules rules_;
  const model::Tables* tables_;
  bool is_damaged_;
  model::TableCounts counts_;
  LostRows lost_;
  bool strings_hold_ = true;
  bool types_hold_ = true;
  bool frames_hold_ = true;
};

}  // namespace heapcheck::recovery::mvmheap
