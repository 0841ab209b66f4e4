// The formats that heapcheck reads and writes. Each format has one row in the table of formats
// (formats/format.cpp); everything that depends on the format is looked up there.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapcheck/types/api.hpp"

namespace heapcheck {

/// The formats of heap dumps; each version is a format of its own.
enum class Format : std::uint8_t {
  mvmheap_v1,       ///< MoarVM, text
  mvmheap_v2,       ///< MoarVM, binary
  mvmheap_v3,       ///< MoarVM, zstd
  chrome_trace,     ///< a trace that has no heap dumps, has both kinds, or has not been read yet
  chrome_legacy,    ///< heap dumps from Chrome 50 to 64, in a trace
  heaps_v2,         ///< heap dumps from Chrome since 2017, in a trace
  v8_heapprofile,   ///< V8's sampling profile
  v8_heapsnapshot,  ///< V8's snapshot or timeline
};

/// The compression around a whole file.
enum class Compression : std::uint8_t {
  none,
  gzip,
  zstd,
  zip,   ///< the only file in a zip archive
  html,  ///< the trace in a page that Catapult's `trace2html` wrote
};

/// The forms in which heap dumps can be exported for other tools. Each form has one row in the table of forms
/// (export/writers.hpp).
enum class ExportForm : std::uint8_t {
  heapsnapshot,  ///< a MoarVM heap, written as a V8 heap snapshot
  collapsed,     ///< one line for each stack, used as input for flame graphs
  speedscope,    ///< the JSON format of speedscope
  pprof,         ///< the protocol buffer of pprof, compressed with gzip
  dhat,          ///< the JSON format of DHAT, Valgrind's heap profiler
  sqlite,        ///< tables in an SQLite database
  csv,           ///< tables of comma-separated values, one file per table
  ndjson,        ///< tables with one JSON object per line, one file per table
  parquet,       ///< tables in Apache Parquet format, one file per table
};

/// A group of formats that can be converted into one another.
enum class Family : std::uint8_t { mvmheap, trace, v8_heapprofile, v8_heapsnapshot };

/// The name used in options and reports, such as `mvmheap-v3`.
[[nodiscard]] HEAPCHECK_API std::string_view slug_of(Format format);
/// A short human-readable title, such as `MoarVM heap dump, version 3`.
[[nodiscard]] HEAPCHECK_API std::string_view title_of(Format format);
/// The family of the format. A dump can be converted to any other format in its family.
[[nodiscard]] HEAPCHECK_API Family family_of(Format format);
/// The usual file name extensions for the format, such as `.mvmheap`. Empty if the extensions are also used
/// for other files.
[[nodiscard]] HEAPCHECK_API std::span<const std::string_view> extensions_of(Format format);
/// All formats, in the order of the table.
[[nodiscard]] HEAPCHECK_API std::vector<Format> all_formats();

/// An output format: a format in one of its layouts.
struct Target {
  Format format;            ///< the format that is written
  std::uint8_t layout = 0;  ///< the index of the layout; 0 is the usual one

  friend constexpr bool operator==(const Target&, const Target&) = default;
};

/// The name of the target, as used with `--to`, such as `mvmheap-v2:increments`.
[[nodiscard]] HEAPCHECK_API std::string name_of(Target target);
/// The target with that name, or nothing if there is none.
[[nodiscard]] HEAPCHECK_API std::optional<Target> find_target(std::string_view name);
/// The targets to which a dump of that family can be written.
[[nodiscard]] HEAPCHECK_API std::vector<Target> targets_of(Family family);

}  // namespace heapcheck
