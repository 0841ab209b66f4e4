// What a check of one input found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heapcheck/api.hpp"
#include "heapcheck/finding.hpp"
#include "heapcheck/format.hpp"

namespace heapcheck {

/// What the findings of an input come to.
enum class Verdict : std::uint8_t {
  valid,            ///< every rule holds; there may be warnings and notes
  not_valid,        ///< follows the grammar, but a rule does not hold
  not_well_formed,  ///< the bytes do not follow the grammar
  undecided,        ///< a limit was reached before everything was checked
  unreadable,       ///< not read, or of no known format
};

/// "valid", "not valid", "not well-formed", "undecided", "unreadable".
[[nodiscard]] HEAPCHECK_API std::string_view name_of(Verdict verdict);

/// Cases of a rule beyond those described one by one.
struct More {
  const Rule* rule;     ///< never null; static
  std::uint64_t count;  ///< of cases
};

/// What a check of one input found. Empty vectors mean that nothing is wrong.
struct HEAPCHECK_API Report {
  std::optional<Format> format;           ///< nothing where no format fits
  Verdict verdict = Verdict::unreadable;  ///< what the findings come to
  bool well_formed = false;               ///< whether the bytes follow the grammar
  std::uint64_t byte_count = 0;           ///< of the input, decompressed
  std::vector<Finding> findings;          ///< by file offset, id, path
  std::vector<More> more;                 ///< findings that were only counted, by id
  std::vector<Skip> skipped;              ///< what was not checked, and why
  bool is_of_unknown_format = false;      ///< unreadable only because no format fits, or none of the consumer
  std::string error;                      ///< why it is unreadable: one sentence without its stop

  /// How many findings there are of this severity, counted ones included. Limits count as none.
  [[nodiscard]] std::uint64_t count(Severity severity) const;
  /// How many limits were reached.
  [[nodiscard]] std::uint64_t count_limits() const;
};

/// A report and what its input was called.
struct NamedReport {
  std::string_view name;  ///< as reports show it, usually the path
  const Report* report;   ///< borrowed, never null
};

}  // namespace heapcheck
