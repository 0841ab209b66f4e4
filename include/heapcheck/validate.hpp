// Checks a dump against the rules of its format, and reports the findings.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapcheck/dump.hpp"
#include "heapcheck/types/finding.hpp"
#include "heapcheck/types/report.hpp"
#include "heapcheck/types/reporter.hpp"

namespace heapcheck {

/// The options for a check.
struct ValidateOptions {
  /// A program whose additional requirements are checked as well: one of reader_names(), or empty.
  std::string reader = {};
  std::uint64_t max_per_rule = 20;  ///< the number of findings to describe per rule; the rest are counted
  /// The rules to report, as lists of patterns for rule ids, such as `mvm3.toc,json`. If this is empty, all
  /// rules are reported. Rules about limits are always reported.
  std::vector<std::string> select = {};
  std::vector<std::string> ignore = {};  ///< rules not to report, in the same form
  /// Severities that replace those of the rules, as lists of items such as `mvm3=warning`. The last item that
  /// matches a rule takes effect, and `off` has the same effect as ignoring the rule.
  std::vector<std::string> severity = {};
  /// Findings of this severity and below are ignored. Limits are always reported.
  std::optional<Severity> hide = {};
  ReadOptions read = {};  ///< how to read the input
};

/// Checks the file at `path`, reading it once from front to back; `-` means standard input. If the file is
/// not a dump or cannot be read, the verdict is Verdict::unreadable and Report::error says why. If memory
/// runs out before its format is known, the verdict is Verdict::undecided, and Report::error says so.
[[nodiscard]] HEAPCHECK_API Report validate(const std::string& path, const ValidateOptions& options = {});
/// Does the same for an open dump. Its content is kept for later use if it fits in memory;
/// ValidateOptions::read is ignored.
[[nodiscard]] HEAPCHECK_API Report validate(const Dump& dump, const ValidateOptions& options = {});

/// The names that ValidateOptions::reader accepts.
[[nodiscard]] HEAPCHECK_API std::vector<std::string_view> reader_names();
/// The readers that can show the content of a file in that format, unless the file itself is faulty.
[[nodiscard]] HEAPCHECK_API std::vector<std::string_view> readers_of(Format format);
/// Whether the reader reads files of that format at all.
[[nodiscard]] HEAPCHECK_API bool reads_format(std::string_view reader, Format format);

/// Checks an open dump for every reader: one entry for each of reader_names(). Reads the dump once for each
/// reader of its format.
[[nodiscard]] HEAPCHECK_API std::vector<ReaderFit> check_readers(const Dump& dump);
/// The rule under which `--for READER` reports findings of `rule`. Its severity reflects what the findings
/// mean for that reader. Null if they mean the same for every reader.
[[nodiscard]] HEAPCHECK_API const Rule* find_rule_for(std::string_view reader, const Rule& rule);

/// Whether the violation can change an answer about nodes, edges, names or sizes. If not, questions about the
/// dump can be answered: the violation is in a part that no question uses, such as the locations of a heap
/// snapshot.
[[nodiscard]] HEAPCHECK_API bool affects_answers(const Finding& finding);
/// Why questions about a dump with this report cannot be answered, or nothing if they can be. Errors: limit
/// if the dump was not checked completely; unreadable; damaged, with the first violation that can change an
/// answer.
[[nodiscard]] HEAPCHECK_API std::optional<Error> find_obstacle(const Report& report);

/// Every rule, sorted by id.
[[nodiscard]] HEAPCHECK_API std::span<const Rule* const> all_rules();
/// The rule with that id, or null if there is none.
[[nodiscard]] HEAPCHECK_API const Rule* find_rule(std::string_view id);

/// The rules that match a pattern, sorted by id. A rule matches if its whole id matches, or if the start of
/// its id up to a dot does (such as `mvm3`). `*` matches any characters, and `?` matches one character. Empty
/// if no rule matches.
[[nodiscard]] HEAPCHECK_API std::vector<const Rule*> find_rules(std::string_view pattern);
/// The suggestion for a pattern that matches no rule, to append to an error, such as `; did you mean
/// mvm3.toc`. Empty if no id is similar.
[[nodiscard]] HEAPCHECK_API std::string suggest_rule(std::string_view typed);

/// The line number of each finding, counted from 1, for NamedReport::lines. Reads a text file a second time,
/// up to its last finding. Empty if the format is binary or the file cannot be read again.
[[nodiscard]] HEAPCHECK_API std::vector<std::uint64_t> find_lines(const std::string& path,
                                                                  const Report& report,
                                                                  const ReadOptions& options = {});

/// A key for each finding: one line of text that describes the finding without numbers. It identifies the
/// same finding in a later report even if offsets and rows have changed. spec: diagnostics.md#fingerprints
[[nodiscard]] HEAPCHECK_API std::vector<std::string> make_fingerprints(const Report& report);
/// The same for the reason why the input could not be read, or for the first limit that kept it from being
/// checked completely; empty if everything was checked.
[[nodiscard]] HEAPCHECK_API std::string make_fingerprint_of_unchecked(const Report& report);

/// Makes a reporter with these options. Throws std::bad_alloc.
[[nodiscard]] HEAPCHECK_API std::unique_ptr<Reporter> make_reporter(const ReportOptions& options);
/// A human-readable report: one line for each finding, with details indented below it, and a final line.
/// `color` adds ANSI colours.
[[nodiscard]] HEAPCHECK_API std::string make_text(const NamedReport& report, bool color = false);
/// A report for programs: one JSON document for all files, as described in spec/report.schema.json. `reader`
/// is the program for which the files were checked.
[[nodiscard]] HEAPCHECK_API std::string make_json(std::span<const NamedReport> reports,
                                                  std::string_view reader = {});

/// The version of the library, such as `0.1.0`.
[[nodiscard]] HEAPCHECK_API std::string_view version();

}  // namespace heapcheck
