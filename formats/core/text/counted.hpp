// Writes numbers with nouns, and lists of words, for messages. The nouns are in a table, because no rule can
// derive every plural from its singular.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace heapcheck::core {

/// A noun, or a noun with its verb, in the singular and in the plural.
struct Noun {
  std::string_view one;
  std::string_view many;

  constexpr Noun(std::string_view singular, std::string_view plural) : one(singular), many(plural) {}
  /// The noun in the table with this singular form. If there is none, the call does not compile.
  consteval Noun(const char* singular);  // NOLINT(google-explicit-constructor)
};

// One line per noun.
// clang-format off
inline constexpr std::array nouns{
    Noun{"byte", "bytes"},
    Noun{"byte of text that could not be read", "bytes of text that could not be read"},
    Noun{"call", "calls"},
    Noun{"case", "cases"},
    Noun{"collectable", "collectables"},
    Noun{"column", "columns"},
    Noun{"dump", "dumps"},
    Noun{"edge", "edges"},
    Noun{"empty line or comment", "empty lines or comments"},
    Noun{"entry", "entries"},
    Noun{"error", "errors"},
    Noun{"event", "events"},
    Noun{"field", "fields"},
    Noun{"file", "files"},
    Noun{"further part", "further parts"},
    Noun{"heap dump", "heap dumps"},
    Noun{"heap snapshot", "heap snapshots"},
    Noun{"limit", "limits"},
    Noun{"line end", "line ends"},
    Noun{"list", "lists"},
    Noun{"member", "members"},
    Noun{"member of the trace", "members of the trace"},
    Noun{"memory dump", "memory dumps"},
    Noun{"negative number", "negative numbers"},
    Noun{"node", "nodes"},
    Noun{"note", "notes"},
    Noun{"number", "numbers"},
    Noun{"object", "objects"},
    Noun{"reference", "references"},
    Noun{"row", "rows"},
    Noun{"row of other sections", "rows of other sections"},
    Noun{"sample", "samples"},
    Noun{"snapshot", "snapshots"},
    Noun{"static frame", "static frames"},
    Noun{"static frame index", "static frame indices"},
    Noun{"string", "strings"},
    Noun{"string index", "string indices"},
    Noun{"top-level item", "top-level items"},
    Noun{"type", "types"},
    Noun{"type index", "type indices"},
    Noun{"unused name", "unused names"},
    Noun{"value", "values"},
    Noun{"warning", "warnings"},
};
// clang-format on

consteval Noun::Noun(const char* singular)
    : Noun(*std::ranges::find(nouns, std::string_view(singular), &Noun::one)) {}

/// The noun in the table with this singular or plural form. If there is none, `form` is used for both.
[[nodiscard]] constexpr Noun find_noun(std::string_view form) {
  const auto found =
      std::ranges::find_if(nouns, [form](const Noun& noun) { return noun.one == form || noun.many == form; });
  return found == nouns.end() ? Noun(form, form) : *found;
}

/// Returns "1 byte" or "2 bytes".
[[nodiscard]] inline std::string counted(std::uint64_t count, Noun noun) {
  return std::to_string(count).append(" ").append(count == 1 ? noun.one : noun.many);
}

/// `text`, `text or json`, `text, json or csv`, where `last` is "or".
template <class Words>
[[nodiscard]] std::string join_words(const Words& words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < std::size(words); ++i) {
    if (i != 0) text.append(i + 1 == std::size(words) ? " " + std::string(last) + " " : ", ");
    text.append(words[i]);
  }
  return text;
}

}  // namespace heapcheck::core
