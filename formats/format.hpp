// The table of formats: one row a format. What differs by format, and not by what one wants of it, is here.
#pragma once

#include <span>
#include <string_view>

#include "formats/mvmheap/version.hpp"
#include "heapcheck/format.hpp"

namespace heapcheck::formats {

struct FormatInfo {
  Format format;
  Family family;
  std::string_view slug;
  std::string_view title;
  std::span<const std::string_view> extensions;  ///< of files that hold nothing else
  const mvmheap::Version* version = nullptr;     ///< of MoarVM dumps; others are told by their JSON
  bool is_written = true;
  bool is_recovered = true;
};

/// In the order of Format, none left out.
[[nodiscard]] std::span<const FormatInfo> all_info();
[[nodiscard]] const FormatInfo& info_of(Format format);

}  // namespace heapcheck::formats
