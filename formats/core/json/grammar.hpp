// The lexemes of JSON (RFC 8259), one function a production: each looks at the front of borrowed
// bytes and says what it took, or nothing. Nothing here is recursive and nothing is converted
// but escapes; nesting and conversion belong to the reader.
#pragma once

#include <cstddef>
#include <optional>

#include "formats/core/bytes.hpp"

namespace heapcheck::core::json {

/// The text of a number. `integral`: it has neither fraction nor exponent.
struct NumberLexeme {
  std::size_t byte_count = 0;
  bool integral = false;
};

enum class Literal { literal_true, literal_false, literal_null };

struct LiteralLexeme {
  Literal value = Literal::literal_null;
  std::size_t byte_count = 0;
};

/// One escape of a string. `code_unit` is UTF-16's: a pair of surrogates is two escapes.
struct EscapeLexeme {
  char16_t code_unit = 0;
  std::size_t byte_count = 0;
};

/// `[ minus ] int [ frac ] [ exp ]`, the longest one: of `1.e5` it takes `1`.
[[nodiscard]] std::optional<NumberLexeme> number(ByteSpan bytes);

/// `true`, `false` or `null`; what follows is not looked at.
[[nodiscard]] std::optional<LiteralLexeme> literal(ByteSpan bytes);

/// A backslash and what it escapes: one character, or `u` and four hexadecimal digits.
[[nodiscard]] std::optional<EscapeLexeme> escape(ByteSpan bytes);

}  // namespace heapcheck::core::json
