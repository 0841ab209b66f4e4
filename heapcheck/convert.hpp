// Writes a sound dump in another format or version of its family, and says what that loses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heapcheck/dump.hpp"
#include "heapcheck/report.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck {

/// How a dump is converted.
struct ConvertOptions {
  bool allow_loss = false;                      ///< write also what loses something
  int level = 9;                                ///< of zstd, 1 to 19, where the target compresses
  bool keep_trace = false;                      ///< of traces: keep all other events as they are
  std::optional<std::uint64_t> threshold = {};  ///< to chrome-legacy: leave out what has fewer bytes
  std::optional<double> share = {};             ///< to chrome-legacy: percent below which to stop
  bool is_in_place = false;                     ///< the output may replace the input
  ReadOptions read = {};                        ///< how the input is read
};

/// What came of a conversion. Nothing is written where the input is not valid or a loss was not allowed.
struct Conversion {
  bool is_written = false;      ///< whether there is an output
  Report report;                ///< of the input
  Target target{};              ///< what was asked for
  std::vector<Amount> amounts;  ///< what the input holds
  std::vector<Loss> losses;     ///< what the target cannot hold
  std::vector<Loss> asked_for;  ///< what was left out because of `threshold` or `share`
};

/// Writes the dump at `input` to `output` (`-`: standard input, standard output). The output gets its name
/// when it is complete and was checked. Errors: those of open(); damaged; limit; unsupported, where the
/// target is not of the input's family; unwritable, also where the output is the input.
[[nodiscard]] HEAPCHECK_API Result<Conversion> convert(const std::string& input, const std::string& output,
                                                       Target target, const ConvertOptions& options = {});
/// The same for an open dump: what was read of it to validate it is not read again.
[[nodiscard]] HEAPCHECK_API Result<Conversion> convert(const Dump& dump, const std::string& output,
                                                       Target target, const ConvertOptions& options = {});

}  // namespace heapcheck
