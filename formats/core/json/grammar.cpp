#include "formats/core/json/grammar.hpp"

#include "formats/core/text/x3.hpp"

namespace heapcheck::core::json {
namespace {

const auto digit = x3::omit[x3::char_('0', '9')];
const auto integer = -x3::lit('-') >> (x3::lit('0') | (x3::omit[x3::char_('1', '9')] >> *digit));
const auto fraction = x3::lit('.') >> +digit;
const auto exponent = (x3::lit('e') | x3::lit('E')) >> -(x3::lit('+') | x3::lit('-')) >> +digit;
const auto number_text = integer >> x3::matches[(fraction >> -exponent) | exponent];

const auto literal_name = (x3::lit("true") >> x3::attr(Literal::literal_true)) |
                          (x3::lit("false") >> x3::attr(Literal::literal_false)) |
                          (x3::lit("null") >> x3::attr(Literal::literal_null));

const auto hex_unit = x3::uint_parser<std::uint16_t, 16, 4, 4>{};
const auto escape_text = x3::lit('\\') >> ((x3::lit('u') >> hex_unit) | x3::char_("\"\\/bfnrt"));

/// The code unit that is represented by the letter in a short escape. All other characters represent
/// themselves.
std::uint16_t find_short_escape(std::uint16_t letter) {
  switch (letter) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return letter;
  }
}

}  // namespace

std::optional<NumberLexeme> number(ByteSpan bytes) {
  const auto match = x3::match<bool>(bytes, number_text);
  if (!match) return std::nullopt;
  return NumberLexeme{match->byte_count, !match->value};
}

std::optional<LiteralLexeme> literal(ByteSpan bytes) {
  const auto match = x3::match<Literal>(bytes, literal_name);
  if (!match) return std::nullopt;
  return LiteralLexeme{match->value, match->byte_count};
}

std::optional<EscapeLexeme> escape(ByteSpan bytes) {
  constexpr std::size_t short_byte_count = 2;
  const auto match = x3::match<std::uint16_t>(bytes, escape_text);
  if (!match) return std::nullopt;
  const bool is_short = match->byte_count == short_byte_count;
  return EscapeLexeme{is_short ? find_short_escape(match->value) : match->value, match->byte_count};
}

}  // namespace heapcheck::core::json
