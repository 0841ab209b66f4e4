// A finding: which rule is violated, where, and the difference between found and expected.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heapcheck {

/// How serious a finding is.
enum class Severity : std::uint8_t {
  note,     ///< a named quirk of a real writer, or lost information
  warning,  ///< readable, but contradicts the format or itself
  error,    ///< a conforming reader may misread or reject the file
};

/// "note", "warning", "error".
[[nodiscard]] constexpr std::string_view name_of(Severity severity) {
  if (severity == Severity::note) return "note";
  return severity == Severity::warning ? "warning" : "error";
}

/// When a rule is raised, which also determines what it means for the verdict.
enum class Stage : std::uint8_t {
  read,   ///< the bytes do not follow the grammar: not well-formed
  check,  ///< well-formed, but violates a rule of the format: not valid
  limit,  ///< one of the Limits was reached: undecided
};

/// "read", "check", "limit".
[[nodiscard]] constexpr std::string_view name_of(Stage stage) {
  if (stage == Stage::read) return "read";
  return stage == Stage::check ? "check" : "limit";
}

/// What can be wrong with a file, under a permanent id. Rules are constexpr records next to the code that
/// raises them.
struct Rule {
  std::string_view id;            ///< dotted, lower case, permanent: `mvm3.toc.entry-bounds`
  Severity severity;              ///< the default
  Stage stage;                    ///< what a finding of it means for the verdict
  std::string_view title;         ///< one line: what must hold
  std::string_view reason;        ///< what goes wrong for readers otherwise
  std::string_view example = {};  ///< a short piece of a file that breaks the rule, and why
  std::string_view advice = {};   ///< what someone who has or writes such a file can do
  std::string_view anchor;        ///< the paragraph below spec/: `mvmheap/v3.md#toc`
  std::string_view since;         ///< the first heapcheck version that has it
};

/// A range of bytes: `offset` from the start, `length` in bytes.
struct Span {
  std::uint64_t offset = 0;  ///< of the first byte
  std::uint64_t length = 0;  ///< in bytes; 0 for a place between bytes

  /// The offset just after the last byte.
  [[nodiscard]] constexpr std::uint64_t end() const { return offset + length; }
  friend constexpr bool operator==(const Span&, const Span&) = default;
};

/// Where in a file. If `file` is compressed content, `content` is the place inside the decompressed content.
/// `path` names the place in the document, JSON-Pointer-like: `/snapshots/2/references/1234/target`.
struct Location {
  Span file;                                   ///< in the input, after removing any compression around it
  std::optional<Span> content = std::nullopt;  ///< inside the decompressed content, if any
  std::string path = {};                       ///< in the document
};

/// Another place that is relevant to a finding, and why.
struct Related {
  Location location;    ///< where to look
  std::string message;  ///< in a few words
};

/// A violated rule, and where.
struct Finding {
  const Rule* rule = nullptr;  ///< never null in a report; static
  Location location;           ///< where to look
  /// One lower-case clause: what was found, then what was expected, without the place.
  std::string message;
  std::vector<Related> related = {};  ///< other relevant places, in the order of the message
};

/// A part of the file that was not checked because of an earlier finding.
struct Skip {
  std::string path;    ///< what was not checked
  std::string reason;  ///< in a few words
};

}  // namespace heapcheck
