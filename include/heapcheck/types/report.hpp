// The result of checking one input, and what that means for the programs that read such files.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapcheck/types/api.hpp"
#include "heapcheck/types/finding.hpp"
#include "heapcheck/types/format.hpp"

namespace heapcheck {

/// The overall result of a check.
enum class Verdict : std::uint8_t {
  valid,            ///< no rule is violated; there may be warnings and notes
  not_valid,        ///< follows the grammar, but violates a rule
  not_well_formed,  ///< the bytes do not follow the grammar
  undecided,        ///< a limit was reached, so not everything was checked
  unreadable,       ///< it could not be read, or has no known format
};

/// "valid", "not valid", "not well-formed", "undecided", "unreadable".
[[nodiscard]] HEAPCHECK_API std::string_view name_of(Verdict verdict);

/// Further findings of a rule that are not described individually.
struct More {
  const Rule* rule;                    ///< never null; static
  std::uint64_t count;                 ///< the number of findings
  Severity severity = rule->severity;  ///< the severity at which they are reported, as in Finding
};

/// The result of checking one input, and what that means for the programs that read such files. If all
/// vectors are empty, there are no findings and everything was checked.
struct HEAPCHECK_API Report {
  std::optional<Format> format;           ///< empty if the format of the input is unknown
  Verdict verdict = Verdict::unreadable;  ///< the overall result
  /// Whether the bytes follow the grammar, regardless of which rules are selected.
  bool well_formed = false;
  std::uint64_t byte_count = 0;   ///< the size of the decompressed input
  std::vector<Finding> findings;  ///< sorted by file offset, id and path
  std::vector<More> more;         ///< findings that were counted but not described, sorted by id
  std::uint64_t ignored = 0;      ///< the number of findings for rules that are not selected
  std::vector<Skip> skipped;      ///< the parts that were not checked, with reasons
  /// Whether the input is unreadable only because its format is unknown or the reader does not support it.
  bool is_of_unknown_format = false;
  /// The reason why the input is unreadable, or why the verdict was undecided before the format was known:
  /// one sentence without a full stop.
  std::string error;

  /// The number of findings of this severity, including those that were only counted. Does not include
  /// limits.
  [[nodiscard]] std::uint64_t count(Severity severity) const;
  /// Whether there is a finding of at least this severity, or some of the input could not be read or checked.
  [[nodiscard]] bool fails(Severity fail_level) const;
  /// The number of limits that were reached.
  [[nodiscard]] std::uint64_t count_limits() const;
};

/// A report and the name of its input.
struct NamedReport {
  std::string_view name;  ///< as shown in reports, usually the path
  const Report* report;   ///< borrowed, never null
  /// For a text file: the line number of each finding, counted from 1. Empty if the file is binary or the
  /// lines are unknown.
  std::span<const std::uint64_t> lines = {};
  Severity fail_level = Severity::error;  ///< the lowest severity that makes the file fail
  std::string_view reader = {};           ///< the program for which the file was checked, or empty
  double seconds = 0;                     ///< how long the check took; 0 if unknown
};

/// How well a reader copes with a file.
enum class Fit : std::uint8_t {
  opens,      ///< it is not known to misread anything in the file
  misreads,   ///< it opens the file, but misrepresents some of its content
  fails,      ///< it fails on the file
  undecided,  ///< a limit was reached
  unread,     ///< it does not read this format
};

/// The name of the value, such as `misreads`.
[[nodiscard]] HEAPCHECK_API std::string_view name_of(Fit fit);

/// How well one reader copes with a file, and why.
struct ReaderFit {
  std::string_view reader;     ///< one of reader_names()
  Fit fit = Fit::opens;        ///< what the reader does with the file
  const Rule* rule = nullptr;  ///< the rule that determines the result; null if there is none
  std::string reason = {};     ///< one clause; empty if the reader opens the file
};

}  // namespace heapcheck
