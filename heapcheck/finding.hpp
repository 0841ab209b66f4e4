// A finding: a rule that does not hold, where, and what was found against what is required.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heapcheck {

/// How bad a finding is.
enum class Severity : std::uint8_t {
  note,     ///< a named quirk of a real writer, or lost information
  warning,  ///< readable, but contradicts the format or itself
  error,    ///< a conforming reader may misread or refuse the file
};

/// "note", "warning", "error".
[[nodiscard]] constexpr std::string_view name_of(Severity severity) {
  if (severity == Severity::note) return "note";
  return severity == Severity::warning ? "warning" : "error";
}

/// When a rule is raised, which also says what it means for the verdict.
enum class Stage : std::uint8_t {
  read,   ///< the bytes do not follow the grammar: not well-formed
  check,  ///< well-formed, but a rule of the format does not hold: not valid
  limit,  ///< a cap of Limits was reached: undecided
};

/// "read", "check", "limit".
[[nodiscard]] constexpr std::string_view name_of(Stage stage) {
  if (stage == Stage::read) return "read";
  return stage == Stage::check ? "check" : "limit";
}

/// What can be wrong with a file, under a permanent id. Rules are constexpr records that stand beside the
/// code that raises them.
struct Rule {
  std::string_view id;            ///< dotted, lower case, permanent: `mvm3.toc.entry-bounds`
  Severity severity;              ///< the default
  Stage stage;                    ///< what a finding of it means
  std::string_view title;         ///< one line, what must hold
  std::string_view reason;        ///< what goes wrong for readers when it does not
  std::string_view example = {};  ///< a short piece of a file that breaks the rule, and why it does
  std::string_view advice = {};   ///< what someone who has or writes such a file can do
  std::string_view anchor;        ///< paragraph below spec/: `mvmheap/v3.md#toc`
  std::string_view since;         ///< first heapcheck version that has it
};

/// A place in a byte sequence: `offset` from its start, `length` in bytes.
struct Span {
  std::uint64_t offset = 0;  ///< of the first byte
  std::uint64_t length = 0;  ///< in bytes; 0 for a place between bytes

  /// The offset behind the last byte.
  [[nodiscard]] constexpr std::uint64_t end() const { return offset + length; }
  friend constexpr bool operator==(const Span&, const Span&) = default;
};

/// Where in a file. `content` counts inside the decompressed content that `file` holds, if any.
/// `path` names the place in the document, JSON-Pointer-like: `/snapshots/2/references/1234/target`.
struct Location {
  Span file;                                   ///< in the input, after its compression is taken off
  std::optional<Span> content = std::nullopt;  ///< in what a compressed part expands to
  std::string path = {};                       ///< in the document
};

/// Another place that belongs to a finding, with a few words.
struct Related {
  Location location;    ///< where to look
  std::string message;  ///< a few words
};

/// A rule that does not hold, and where.
struct Finding {
  const Rule* rule = nullptr;  ///< never null in a report; static
  Location location;           ///< where to look
  /// One lower-case clause, found then required, without the place.
  std::string message;
  std::vector<Related> related = {};  ///< other places to look at, in the order of the message
};

/// A part of the file that was not checked because of an earlier finding.
struct Skip {
  std::string path;    ///< what was not checked
  std::string reason;  ///< a few words
};

}  // namespace heapcheck
