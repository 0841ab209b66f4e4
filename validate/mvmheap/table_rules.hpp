// Rules over the tables that all snapshots of a MoarVM dump share: strings, types, static frames.
// They grow from part to part, so a TableRules looks at what each part adds and remembers what it
// has seen. Borrows the tables it is shown.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_set>

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/model.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap::rules {

inline constexpr Rule strings_utf8{
    .id = "mvm.strings.utf8",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "a string is UTF-8",
    .reason = "A reader refuses the string, or shows other characters.",
    .anchor = "mvmheap/v3.md#strings",
    .since = "0.1",
};
inline constexpr Rule strings_nul{
    .id = "mvm.strings.nul",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "a string holds no NUL",
    .reason = "The writer cuts names at the first NUL, so a length before the string is wrong.",
    .anchor = "mvmheap/v3.md#strings",
    .since = "0.1",
};
inline constexpr Rule strings_duplicate{
    .id = "mvm.strings.duplicate",
    .severity = Severity::warning,
    .stage = Stage::check,
    .title = "a string occurs once",
    .reason = "Readers that look names up by index find only one of them.",
    .anchor = "mvmheap/v3.md#strings",
    .since = "0.1",
};
inline constexpr Rule types_string_range{
    .id = "mvm.types.string-range",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "a type's names are strings known at that snapshot",
    .reason = "A reader shows a wrong name, or reads past its table.",
    .anchor = "mvmheap/v3.md#tables",
    .since = "0.1",
};
inline constexpr Rule types_duplicate{
    .id = "mvm.types.duplicate",
    .severity = Severity::warning,
    .stage = Stage::check,
    .title = "a pair of representation and name is one type",
    .reason = "Counts by type are split over several rows.",
    .anchor = "mvmheap/v3.md#tables",
    .since = "0.1",
};
inline constexpr Rule frames_string_range{
    .id = "mvm.frames.string-range",
    .severity = Severity::error,
    .stage = Stage::check,
    .title = "a static frame's name, compilation unit and file are strings known at that snapshot",
    .reason = "A reader shows a wrong name, or reads past its table.",
    .anchor = "mvmheap/v3.md#tables",
    .since = "0.1",
};
inline constexpr Rule frames_duplicate{
    .id = "mvm.frames.duplicate",
    .severity = Severity::warning,
    .stage = Stage::check,
    .title = "name, compilation unit, line and file together are one static frame",
    .reason = "Counts by static frame are split over several rows.",
    .anchor = "mvmheap/v3.md#tables",
    .since = "0.1",
};

inline constexpr std::array table_rules{
    &strings_utf8,    &strings_nul,         &strings_duplicate, &types_string_range,
    &types_duplicate, &frames_string_range, &frames_duplicate,
};

}  // namespace heapcheck::validation::mvmheap::rules

namespace heapcheck::validation::mvmheap {

class TableRules {
 public:
  /// `tables` must outlive this.
  explicit TableRules(const model::Tables& tables);

  /// mvm.strings.nul for strings [first, last).
  void check_nul(std::uint64_t first, std::uint64_t last, const Locate& locate,
                 core::FindingSink& sink) const;
  /// mvm.strings.utf8 and mvm.strings.duplicate for strings [first, last).
  void check_strings(std::uint64_t first, std::uint64_t last, const Locate& locate, core::FindingSink& sink);
  /// Checks types [first, last) against `strings` known strings; UINT64_MAX where that is unknown.
  void check_types(std::uint64_t first, std::uint64_t last, std::uint64_t strings, const Locate& locate,
                   core::FindingSink& sink);
  void check_frames(std::uint64_t first, std::uint64_t last, std::uint64_t strings, const Locate& locate,
                    core::FindingSink& sink);

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
  using Seen = std::unordered_set<Index, Rows, Rows>;

  template <class Index>
  void check_duplicates(Seen<Index>& seen, std::uint64_t first, std::uint64_t last, const Rule& rule,
                        Field field, const Locate& locate, core::FindingSink& sink);

  const model::Tables* tables_;
  Seen<model::StringIndex> strings_;
  Seen<model::TypeIndex> types_;
  Seen<model::FrameIndex> frames_;
};

}  // namespace heapcheck::validation::mvmheap
