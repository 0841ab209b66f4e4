// The rows of the shared tables that recovery can use: the rows at the start of each table that were read
// completely. Individual rows among them that violate rules are lost and are replaced with placeholders.
// Borrows the tables.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

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
  /// `is_damaged` states whether the dump has errors. If it has none, rows with only warnings are kept.
  /// `fills_gaps` states whether to use the strings after a section whose strings are lost.
  KnownRows(const model::Tables& tables, bool is_damaged, bool fills_gaps = false)
      : rules_(tables), tables_(&tables), is_damaged_(is_damaged), fills_gaps_(fills_gaps) {}

  /// Adds all rows as one part.
  void add_all(const model::TableCounts& counts);
  void add(const model::Part& part);
  /// Adds strings that are lost although their content follows the rules.
  void lose_strings(const std::vector<std::uint64_t>& indices) {
    lost_.strings.insert(indices.begin(), indices.end());
  }

  /// The number of rows at the start of each table that were read completely.
  [[nodiscard]] const model::TableCounts& counts() const { return counts_; }
  /// The lost rows among them.
  [[nodiscard]] const LostRows& lost() const { return lost_; }
  /// Whether strings of a section were lost but the strings after it are used.
  [[nodiscard]] bool has_filled_strings() const { return has_filled_strings_; }

 private:
  using Rows = std::set<std::uint64_t>;
  void settle_strings(const model::Part& part);
  using Rules = validation::mvmheap::TableRules;
  [[nodiscard]] Rows find_faulty_strings(Rules& rules, std::uint64_t first, std::uint64_t last) const;
  void add_strings(const model::Part& part);
  void add_types(Rules& rules, const model::Part& part);
  void add_frames(Rules& rules, const model::Part& part);
  [[nodiscard]] bool uses_last_string(const model::Part& part) const;
  [[nodiscard]] bool spans_strings(std::uint64_t index) const;

  Rules rules_;
  const model::Tables* tables_;
  bool is_damaged_;
  bool fills_gaps_;
  bool has_filled_strings_ = false;
  bool is_gap_left_ = false;  // whether strings are missing, so that later strings cannot be used
  /// The previous part without its graph, and whether types and frames could be trusted before it.
  model::Part previous_;
  bool types_held_ = true;
  bool frames_held_ = true;
  model::TableCounts counts_;
  LostRows lost_;
  bool strings_hold_ = true;
  bool types_hold_ = true;
  bool frames_hold_ = true;
};

}  // namespace heapcheck::recovery::mvmheap
