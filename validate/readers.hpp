// Programs that read heap dumps. A file can be checked for the requirements of such a program that go beyond
// the format.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "formats/v8/heapsnapshot/layout.hpp"
#include "heapcheck/types/finding.hpp"
#include "heapcheck/types/format.hpp"

namespace heapcheck::validation {

enum class Reader : std::uint8_t {
  none,
  devtools,    ///< Chrome DevTools
  memlab,      ///< Meta's memlab
  moar_ha,     ///< App::MoarVM::HeapAnalyzer
  moarperf,    ///< MoarPerf
  comma,       ///< Comma, and the Raku plugin for IntelliJ
  speedscope,  ///< speedscope
  catapult,    ///< Catapult's trace viewer
  perfetto,    ///< Perfetto's trace processor
};

/// The program for which a file is checked.
struct ReaderProfile {
  Reader which = Reader::none;
  /// The length of the longest string that it can store, in characters. DevTools and memlab run on V8 and
  /// share its limit.
  std::uint64_t max_text = heapcheck::v8::heapsnapshot::longest_string;
  /// The greatest call depth in a trace tree that it was found to handle.
  std::uint64_t max_calls = 4500;
};

/// A rule that is more severe for a reader than in general. Findings of `from` are reported as findings of
/// `to`.
struct RaisedRule {
  const Rule* from;
  const Rule* to;
};

/// A fault that every file in a format has for a program.
struct FormatFault {
  Format format;
  const Rule* rule;
  std::string_view message;
};

/// The name, such as `devtools`; empty for `none`.
[[nodiscard]] std::string_view name_of(Reader reader);
/// All names that find_reader() accepts.
[[nodiscard]] std::vector<std::string_view> reader_names();
/// The reader with that name.
[[nodiscard]] std::optional<Reader> find_reader(std::string_view name);
/// Whether the program reads files of that format at all; always true for `none`.
[[nodiscard]] bool reads(Reader reader, Format format);
/// The rules that are more severe for this program than for other readers.
[[nodiscard]] std::span<const RaisedRule> raised_for(Reader reader);
/// The fault that every file in that format has for this program, or null if there is none.
[[nodiscard]] const FormatFault* find_format_fault(Reader reader, Format format);

}  // namespace heapcheck::validation
