// Checks one input: tells its format, reads it, applies the rules, and says what was found. The
// library's main entry; never prints, never throws on bad input.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formats/core/finding.hpp"
#include "formats/core/limits.hpp"
#include "formats/core/source.hpp"
#include "formats/registry.hpp"
#include "validate/collector.hpp"
#include "validate/consumer.hpp"

namespace heapcheck::validate {

enum class Verdict : std::uint8_t {
  valid,            ///< every rule holds; there may be warnings and notes
  not_valid,        ///< follows the grammar, but a rule does not hold
  not_well_formed,  ///< the bytes do not follow the grammar
  undecided,        ///< a limit was reached before everything was checked
  unreadable,       ///< not read, or of no known format
};

/// "valid", "not valid", "not well-formed", "undecided", "unreadable".
std::string_view name_of(Verdict verdict);

struct Options {
  core::Limits limits;
  std::uint64_t max_per_rule = 20;
  Reader reader = {};  ///< for which more is checked than the format
};

/// What a check of one input found.
struct FileReport {
  std::optional<formats::Format> format;
  Verdict verdict = Verdict::unreadable;
  bool well_formed = false;
  std::uint64_t byte_count = 0;         ///< of the input, decompressed
  std::vector<core::Finding> findings;  ///< by file offset, id, path
  std::vector<More> more;               ///< findings that were only counted
  std::vector<core::Skip> skipped;      ///< what was not checked, and why
  bool is_of_unknown_format = false;    ///< unreadable only because no format fits, or none of the consumer
  std::string error;                    ///< why it is unreadable: one sentence without its stop

  /// How many findings there are of this severity, counted ones included. Limits count as none.
  [[nodiscard]] std::uint64_t count(core::Severity severity) const;
  /// How many limits were reached.
  [[nodiscard]] std::uint64_t count_limits() const;
};

/// Checks what `raw` holds, decompressing it if its first bytes say so.
FileReport check_source(std::unique_ptr<core::ByteSource> raw, const Options& options);

/// Checks the file at `path`; `-` is standard input.
FileReport check_file(const std::string& path, const Options& options);

}  // namespace heapcheck::validate
