// The lexemes of JSON (RFC 8259), with one function per production. Each function looks at the front of
// borrowed bytes and returns the lexeme there, or nothing. No function is recursive, and only escapes are
// converted; nesting and other conversions are up to the reader.
#pragma once

#include <cstddef>
#include <optional>

#include "formats/core/bytes.hpp"

namespace heapcheck::core::json {

/// The text of a number. `integral` is true if the number has neither a fraction nor an exponent.
struct NumberLexeme {
  std::size_t byte_count = 0;
  bool integral = false;
};

enum class Literal { literal_true, literal_false, literal_null };

struct LiteralLexeme {
  Literal value = Literal::literal_null;
  std::size_t byte_count = 0;
};

/// One escape in a string. `code_unit` is a UTF-16 code unit, so a surrogate pair takes two escapes.
struct EscapeLexeme {
  char16_t code_unit = 0;
  std::size_t byte_count = 0;
};

/// The longest match for `[ minus ] int [ frac ] [ exp ]`. In `1.e5`, this is `1`.
[[nodiscard]] std::optional<NumberLexeme> number(ByteSpan bytes);

/// `true`, `false` or `null`; the bytes after it are not checked.
[[nodiscard]] std::optional<LiteralLexeme> literal(ByteSpan bytes);

/// A backslash followed by one character, or by `u` and four hexadecimal digits.
[[nodiscard]] std::optional<EscapeLexeme> escape(ByteSpan bytes);

}  // namespace heapcheck::core::json
