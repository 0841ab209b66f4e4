// What the families of formats share when they are converted: the command reads its options and checks
// the input, then each family writes (convert_mvmheap.cpp, convert_chrome.cpp, convert_v8.cpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "cli/rewrite.hpp"
#include "formats/core/output_file.hpp"
#include "formats/core/source.hpp"
#include "formats/detect.hpp"

namespace heapcheck::cli {

struct ConvertSettings : RewriteSettings {
  bool allow_loss = false;
  // Of traces only.
  bool keep_trace = false;
  std::optional<std::uint64_t> threshold;  ///< bytes
  std::optional<double> share;             ///< percent
};

/// Whether losses stand in the way of writing; says so on standard error then.
bool stops_at(const ConvertSettings& settings, const std::vector<Loss>& losses);

/// Gives an output to `write` and, when that is done and the result checked, the output its name.
Result<void> write_checked(const ConvertSettings& settings,
                           const std::function<Result<void>(core::ByteSink&)>& write);

/// Each writes the sound dump in `source`, which is of the format's family; gives the exit status.
int convert_mvmheap(const ConvertSettings& settings, core::SeekableSource& source);
int convert_trace(const ConvertSettings& settings, core::SeekableSource& source, Format format);
int convert_heapsnapshot(const ConvertSettings& settings, core::SeekableSource& source);
int convert_heapprofile(const ConvertSettings& settings, core::SeekableSource& source);

}  // namespace heapcheck::cli
