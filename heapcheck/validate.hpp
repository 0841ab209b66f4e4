// Checks a dump against its format and its rules, and shows what was found.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapcheck/dump.hpp"
#include "heapcheck/finding.hpp"
#include "heapcheck/report.hpp"

namespace heapcheck {

/// What is checked, and how much is told.
struct ValidateOptions {
  /// The program whose needs beyond the format are checked too, one of reader_names(); empty for none.
  std::string reader = {};
  std::uint64_t max_per_rule = 20;  ///< findings of one rule that are described; the rest is counted
  ReadOptions read = {};            ///< how the input is read
};

/// Checks the file at `path`, reading it once from front to back; `-` is standard input. What is not a dump
/// or cannot be read is Verdict::unreadable, with the reason in Report::error.
[[nodiscard]] HEAPCHECK_API Report validate(const std::string& path, const ValidateOptions& options = {});
/// The same for an open dump, whose content is kept for what comes next where it fits; ValidateOptions::read
/// is not looked at.
[[nodiscard]] HEAPCHECK_API Report validate(const Dump& dump, const ValidateOptions& options = {});

/// The names that ValidateOptions::reader knows.
[[nodiscard]] HEAPCHECK_API std::vector<std::string_view> reader_names();
/// Every rule, by id.
[[nodiscard]] HEAPCHECK_API std::span<const Rule* const> all_rules();
/// The rule of that id; null where there is none.
[[nodiscard]] HEAPCHECK_API const Rule* find_rule(std::string_view id);

/// For people: one line a finding, what belongs to it indented below, and a last line. With ANSI colours if
/// `color`.
[[nodiscard]] HEAPCHECK_API std::string make_text(const NamedReport& report, bool color = false);
/// For programs: one JSON document for all files, as spec/report.schema.json describes it. `reader` is whom
/// the files were checked for.
[[nodiscard]] HEAPCHECK_API std::string make_json(std::span<const NamedReport> reports,
                                                  std::string_view reader = {});

/// The version of the library, such as `0.1.0`.
[[nodiscard]] HEAPCHECK_API std::string_view version();

}  // namespace heapcheck
