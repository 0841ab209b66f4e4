// The table of formats, with one row per format. Everything that depends only on the format is in this table.
#pragma once

#include <span>
#include <string_view>

#include "formats/mvmheap/version.hpp"
#include "heapcheck/types/format.hpp"

namespace heapcheck::formats {

struct FormatInfo {
  Format format;
  Family family;
  std::string_view slug;
  std::string_view title;
  std::span<const std::string_view> extensions;  ///< extensions that are used only for files in this format
  /// For MoarVM dumps only. Other formats are recognised by their JSON.
  const mvmheap::Version* version = nullptr;
  bool is_written = true;
};

/// All formats, in the order of Format.
[[nodiscard]] std::span<const FormatInfo> all_info();
[[nodiscard]] const FormatInfo& info_of(Format format);

}  // namespace heapcheck::formats
