// Writes a sound dump in a different format or version of the same family, and reports losses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heapcheck/dump.hpp"
#include "heapcheck/types/report.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck {

/// The options for a conversion.
struct ConvertOptions {
  bool allow_loss = false;  ///< whether to write the output even if something is lost
  int level = 9;            ///< the zstd level, 1 to 19, if the target is compressed
  bool keep_trace = false;  ///< for traces: whether to keep all other events as they are
  /// For the target chrome-legacy: the size in bytes below which entries are left out.
  std::optional<std::uint64_t> threshold = {};
  /// For the target chrome-legacy: the percentage below which entries are left out.
  std::optional<double> share = {};
  bool is_in_place = false;  ///< whether the output may replace the input
  bool keeps_times = false;  ///< whether to give the output the access and modification times of the input
  ReadOptions read = {};     ///< how to read the input
};

/// The result of a conversion. Nothing is written if the input is not valid or if there is a loss that was
/// not allowed.
struct Conversion {
  bool is_written = false;      ///< whether there is an output
  Report report;                ///< the report on the input
  Target target{};              ///< the requested target
  std::vector<Amount> amounts;  ///< the contents of the input
  std::vector<Loss> losses;     ///< items that the target cannot represent
  std::vector<Loss> asked_for;  ///< items that were left out because of `threshold` or `share`
};

/// Writes the dump at `input` to `output` (`-` means standard input or output). The output is given its name
/// once it is complete and has been checked. Errors: the errors of open(); damaged; limit; unsupported if the
/// target does not belong to the input's family; unwritable, including when the output is the input.
[[nodiscard]] HEAPCHECK_API Result<Conversion> convert(const std::string& input, const std::string& output,
                                                       Target target, const ConvertOptions& options = {});
/// Does the same for an open dump. Content that was kept during validation is not read again.
[[nodiscard]] HEAPCHECK_API Result<Conversion> convert(const Dump& dump, const std::string& output,
                                                       Target target, const ConvertOptions& options = {});

}  // namespace heapcheck
