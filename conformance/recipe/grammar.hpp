// The notation of case and base files, with one function for each production. Each function removes the text
// that it recognises from the front of `line`. If the line does not match, the function returns nothing, but
// may still have shortened `line`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/recipe/recipe.hpp"

namespace heapcheck::conformance::grammar {

/// `17` or `0x11`
std::optional<std::uint64_t> number(std::string_view& line);
/// `+ 5` or `- 5`; 0 if there is neither
std::int64_t shift(std::string_view& line);
/// `"text\n\x00"`, `'literal text'` or `hex 28 b5`
std::optional<std::string> bytes(std::string_view& line);
/// `snapshot[0].colkind[3]`
std::optional<std::string> label(std::string_view& line);
/// A letter, followed by letters, digits, `-`, `_` or `.`
std::optional<std::string> name(std::string_view& line);
/// Matches `word` as a complete word, and returns whether it came next.
bool word(std::string_view& line, std::string_view word);

/// `LABEL`, `start of LABEL`, `end of LABEL`, each with an optional shift, or a number
std::optional<Place> place(std::string_view& line);
/// A number, bytes, a place with `start of` or `end of`, or `size of LABEL`
std::optional<Value> value(std::string_view& line);
/// `u8`, `u16`, `u32` or `u64`, as a number of bytes
std::optional<unsigned> entry_type(std::string_view& line);
/// `column colkind u16 9 5 1`
std::optional<Element> element(std::string_view& line);

/// A whole line.
std::optional<Statement> statement(std::string_view& line);

}  // namespace heapcheck::conformance::grammar
