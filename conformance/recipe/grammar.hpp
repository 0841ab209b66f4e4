// The notation of case and base files, one function a production. Each takes what it recognises
// from the front of `line` and leaves the rest; empty, with `line` as it was or further on, where
// the line does not follow the notation. Lines are short and nest nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/recipe/recipe.hpp"

namespace heapcheck::conformance::grammar {

/// `17` or `0x11`
std::optional<std::uint64_t> number(std::string_view& line);
/// `+ 5` or `- 5`; nothing is 0
std::int64_t shift(std::string_view& line);
/// `"text\n\x00"`, `'text as it is'` or `hex 28 b5`
std::optional<std::string> bytes(std::string_view& line);
/// `snapshot[0].colkind[3]`
std::optional<std::string> label(std::string_view& line);
/// A letter and letters, digits, `-`, `_` or `.`
std::optional<std::string> name(std::string_view& line);
/// Whether `word` stands next, as a word of its own.
bool word(std::string_view& line, std::string_view word);

/// `LABEL`, `start of LABEL`, `end of LABEL`, each with a shift, or a number
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
