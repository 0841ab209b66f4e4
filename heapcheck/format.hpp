// The formats heapcheck knows and what it can write. A format has one row in the table of formats
// (formats/format.cpp); everything that differs by format is looked up there.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapcheck/api.hpp"

namespace heapcheck {

/// The formats of heap dumps, each version of its own.
enum class Format : std::uint8_t {
  mvmheap_v1,       ///< MoarVM, text
  mvmheap_v2,       ///< MoarVM, binary
  mvmheap_v3,       ///< MoarVM, zstd
  chrome_trace,     ///< of no heap format: a trace that holds no heap dump, or both kinds, or is not read yet
  chrome_legacy,    ///< heap dumps of Chrome 50 to 64 in a trace
  heaps_v2,         ///< heap dumps of Chrome since 2017 in a trace
  v8_heapprofile,   ///< V8's sampling profile
  v8_heapsnapshot,  ///< V8's snapshot or timeline
};

/// What is around a whole file.
enum class Compression : std::uint8_t { none, gzip, zstd };

/// Formats that can be converted into each other.
enum class Family : std::uint8_t { mvmheap, trace, v8_heapprofile, v8_heapsnapshot };

/// The name that options and reports use, such as `mvmheap-v3`.
[[nodiscard]] HEAPCHECK_API std::string_view slug_of(Format format);
/// A few words for people, such as `MoarVM heap dump, version 3`.
[[nodiscard]] HEAPCHECK_API std::string_view title_of(Format format);
/// The formats among which a dump of this one can be converted.
[[nodiscard]] HEAPCHECK_API Family family_of(Format format);
/// How names of files of that format end, such as `.mvmheap`; none where they hold other things too.
[[nodiscard]] HEAPCHECK_API std::span<const std::string_view> extensions_of(Format format);
/// All of them, in the order of the table.
[[nodiscard]] HEAPCHECK_API std::vector<Format> all_formats();

/// What can be written: a format, in one of the layouts that it has.
struct Target {
  Format format;            ///< what is written
  std::uint8_t layout = 0;  ///< 0 is the usual one

  friend constexpr bool operator==(const Target&, const Target&) = default;
};

/// The name that `--to` takes, such as `mvmheap-v2:increments`.
[[nodiscard]] HEAPCHECK_API std::string name_of(Target target);
/// The target of that name; nothing where there is none.
[[nodiscard]] HEAPCHECK_API std::optional<Target> find_target(std::string_view name);
/// What a dump of that family can be written as.
[[nodiscard]] HEAPCHECK_API std::vector<Target> targets_of(Family family);

}  // namespace heapcheck
