// The interface between grammars and Boost.Spirit X3: a function that runs a parser on bytes and returns the
// part that it matched. This is the only code that catches exceptions from expectation points. Only the
// source files of grammars include this file.
#pragma once

#include <boost/spirit/home/x3.hpp>
#include <boost/spirit/home/x3/binary.hpp>
#include <optional>

#include "formats/core/bytes.hpp"

namespace heapcheck::core::x3 {

using namespace boost::spirit::x3;  // NOLINT(google-build-using-namespace): this is the X3 prefix header

/// The part at the front of the input that a parser matched.
template <class Attribute>
struct Match {
  Attribute value{};
  std::size_t byte_count = 0;
};

/// Runs `parser` at the front of `bytes`. Returns nothing if the parser does not match.
template <class Attribute, class Parser>
std::optional<Match<Attribute>> match(ByteSpan bytes, const Parser& parser) {
  Match<Attribute> result;
  const char* first = as_text(bytes).data();
  const char* const last = first + bytes.size();
  try {
    if (!parse(first, last, parser, result.value)) return std::nullopt;
  } catch (const expectation_failure<const char*>&) {
    return std::nullopt;
  }
  result.byte_count = static_cast<std::size_t>(first - as_text(bytes).data());
  return result;
}

}  // namespace heapcheck::core::x3
