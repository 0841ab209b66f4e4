// A finding: the rule that was violated, where it was violated, and a message of the form "found X, expected
// Y".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heapcheck {

/// The severity of a finding.
enum class Severity : std::uint8_t {
  note,     ///< a known quirk of a real writer, or lost information
  warning,  ///< the file is readable, but violates the format or contradicts itself
  error,    ///< a conforming reader may misread or reject the file
};

/// "note", "warning", "error".
[[nodiscard]] constexpr std::string_view name_of(Severity severity) {
  if (severity == Severity::note) return "note";
  return severity == Severity::warning ? "warning" : "error";
}

/// The stage at which a violation is found. It also determines how the violation affects the verdict.
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

/// A rule that a file can violate, with a permanent id. Rules are constexpr records next to the code that
/// reports their violations.
struct Rule {
  std::string_view id;            ///< dotted, lower case and permanent, such as `mvm3.toc.entry-bounds`
  Severity severity;              ///< the default
  Stage stage;                    ///< how its findings affect the verdict
  std::string_view title;         ///< one line: the requirement
  std::string_view reason;        ///< what a violation means for readers of the file
  std::string_view example = {};  ///< a short piece of a file that violates the rule, with an explanation
  std::string_view advice = {};   ///< advice for someone who has or writes such a file
  /// The writers whose files must follow the rule; it was checked on their files. Empty if all files must
  /// follow the rule.
  std::string_view engines = {};
  std::string_view anchor;  ///< the paragraph in spec/: `mvmheap/v3.md#toc`
  std::string_view since;   ///< the first version of heapcheck that has the rule
};

/// A range of bytes: `offset` from the start, `length` in bytes.
struct Span {
  std::uint64_t offset = 0;  ///< the offset of the first byte
  std::uint64_t length = 0;  ///< in bytes; 0 for a place between bytes

  /// The offset just after the last byte.
  [[nodiscard]] constexpr std::uint64_t end() const { return offset + length; }
  friend constexpr bool operator==(const Span&, const Span&) = default;
};

/// A place in a file. If `file` is compressed content, `content` is the place inside the decompressed
/// content. `path` names the place in the document in the style of a JSON Pointer, such as
/// `/snapshots/2/references/1234/target`.
struct Location {
  Span file;                                   ///< in the input, after any compression around it has been
                                               ///< removed
  std::optional<Span> content = std::nullopt;  ///< inside the decompressed content, if any
  std::string path = {};                       ///< in the document
};

/// Another place that is relevant to a finding, and why it is relevant.
struct Related {
  Location location;    ///< where to look
  std::string message;  ///< in a few words
};

/// A violation of a rule.
struct Finding {
  const Rule* rule = nullptr;  ///< never null in a report; static
  Location location;           ///< where to look
  /// One lower-case clause that does not state the place: "found X, expected Y".
  std::string message;
  std::vector<Related> related = {};  ///< other relevant places, in the order in which the message mentions
                                      ///< them
  /// The reported severity. This is the severity of the rule unless the user chose a different one for the
  /// rule.
  Severity severity = rule == nullptr ? Severity::error : rule->severity;
};

/// A part of the file that was not checked because of an earlier finding.
struct Skip {
  std::string path;    ///< the path of that part
  std::string reason;  ///< in a few words
};

}  // namespace heapcheck
