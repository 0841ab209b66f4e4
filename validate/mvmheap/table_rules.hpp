// Rules for the tables that all snapshots of a MoarVM dump share: strings, types and static frames. The
// tables grow with each part, so TableRules checks the rows that each part adds and remembers earlier rows.
// Borrows the tables.
#pragma once

#include <cstdint>

#include "formats/core/finding_sink.hpp"
#include "formats/core/row_table.hpp"
#include "formats/mvmheap/part.hpp"
#include "validate/mvmheap/rules.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap {

class TableRules {
 public:
  /// `tables` must outlive this object.
  explicit TableRules(const model::Tables& tables);

  /// mvm.strings.nul for strings [first, last).
  void check_nul(std::uint64_t first, std::uint64_t last, const Locate& locate,
                 core::FindingSink& sink) const;
  /// mvm.strings.utf8 and mvm.strings.duplicate for strings [first, last).
  void check_strings(std::uint64_t first, std::uint64_t last, const Locate& locate, core::FindingSink& sink);
  /// Checks types [first, last). `strings` is the number of known strings, or UINT64_MAX if that is unknown.
  void check_types(std::uint64_t first, std::uint64_t last, std::uint64_t strings, const Locate& locate,
                   core::FindingSink& sink);
  void check_frames(std::uint64_t first, std::uint64_t last, std::uint64_t strings, const Locate& locate,
                    core::FindingSink& sink);
  /// Runs all of these checks on the rows that `part` adds. `strings_hold` is true if all earlier strings can
  /// be trusted. Returns whether all strings, including those in the part, can be trusted.
  bool check_part(const model::Part& part, bool strings_hold, const Locate& locate, core::FindingSink& sink);

 private:
  /// Hashes and compares rows of the tables by their content.
  struct Rows {
    const model::Tables* tables;
    std::size_t operator()(model::StringIndex index) const;
    std::size_t operator()(model::TypeIndex index) const;
    std::size_t operator()(model::FrameIndex index) const;
    bool operator()(model::StringIndex a, model::StringIndex b) const;
    bool operator()(model::TypeIndex a, model::TypeIndex b) const;
    bool operator()(model::FrameIndex a, model::FrameIndex b) const;
  };
  template <class Index>
  void check_duplicates(core::RowTable& seen, std::uint64_t first, std::uint64_t last, const Rule& rule,
                        Field field, const Locate& locate, core::FindingSink& sink);

  bool check_lost(const model::Part& part, const Locate& locate, core::FindingSink& sink) const;

  const model::Tables* tables_;
  core::RowTable strings_;
  core::RowTable types_;
  core::RowTable frames_;
};

}  // namespace heapcheck::validation::mvmheap
