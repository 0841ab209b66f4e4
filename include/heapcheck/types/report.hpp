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

/// Further findings of a rule, which are not described individually.
struct More {
  const Rule* rule;                    ///< never null; static
  std::uint64_t count;                 ///< the number of findings
  Severity severity = rule->severity;  ///< the severity with which they are reported, as in Finding
};

/// The result of checking one input, and what that means for the programs that read such files. If the
/// vectors are empty, there are no findings and everything was checked.
struct HEAPCHECK_API Report {
  std::optional<Format> format;           ///< empty if the input is of no known format
  Verdict verdict = Verdict::unreadable;  ///< the overall result
  /// Whether the bytes follow the grammar, even if the rules that they break are not selected.
  bool well_formed = false;
  std::uint64_t byte_count = 0;   ///< the size of the decompressed input
  std::vector<Finding> findings;  ///< sorted by file offset, id and path
  std::vector<More> more;         ///< findings that were only counted, sorted by id
  std::uint64_t ignored = 0;      ///< the number of findings of rules that are not selected
  std::vector<Skip> skipped;      ///< the parts that were not checked, with reasons
  /// Whether it is unreadable only because its format is unknown or is not supported by the reader.
  bool is_of_unknown_format = false;
  /// The reason why the input is unreadable, or why the verdict was undecided before the format was known:
  /// one sentence without a full stop.
  std::string error;

  /// The number of findings of this severity, including those only counted. Limits are not included.
  [[nodiscard]] std::uint64_t count(Severity severity) const;
  /// Whether there is a finding of at least this severity, or not everything could be checked or read.
  [[nodiscard]] bool fails(Severity fail_level) const;
  /// The number of limits that were reached.
  [[nodiscard]] std::uint64_t count_limits() const;
};

/// A report and the name of its input.
struct NamedReport {
  std::string_view name;  ///< as shown in reports, usually the path
  const Report* report;   ///< borrowed, never null
  /// For a text file: the line of each finding, counted from 1. Empty for a binary file or if the lines are
  /// unknown.
  std::span<const std::uint64_t> lines = {};
  Severity fail_level = Severity::error;  ///< the lowest severity that makes the file fail
  std::string_view reader = {};           ///< the program that it was checked for, or empty
  double seconds = 0;                     ///< how long the check took; 0 if it is not known
};

/// How a reader fares with a file.
enum class Fit : std::uint8_t {
  opens,      ///< nothing in the file is known to be misread
  misreads,   ///< it opens the file, but misrepresents some of its content
  fails,      ///< it fails on the file
  undecided,  ///< a limit was reached
  unread,     ///< it does not read this format
};

/// The name of a fit, such as `misreads`.
[[nodiscard]] HEAPCHECK_API std::string_view name_of(Fit fit);

/// How one reader fares with a file, and why.
struct ReaderFit {
  std::string_view reader;     ///< one of reader_names()
  Fit fit = Fit::opens;        ///< what the reader does with the file
  const Rule* rule = nullptr;  ///< the rule that decides; null if there is none
  std::string reason = {};     ///< one clause; empty if the reader opens the file
};

}  // namespace heapcheck
