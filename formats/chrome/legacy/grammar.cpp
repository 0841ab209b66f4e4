#include "formats/chrome/legacy/grammar.hpp"

#include "formats/chrome/legacy/ids.hpp"
#include "formats/core/text/x3.hpp"

namespace heapcheck::chrome::legacy::grammar {
namespace {

namespace x3 = core::x3;

const auto hex_rule = x3::uint_parser<std::uint64_t, 16, 1, 16>();
const auto decimal_rule = x3::uint_parser<std::uint32_t, 10, 1, 10>();

/// The value that `parser` reads from the bytes, if the parser accepts all of them.
template <class Value, class Parser>
std::optional<Value> parse_all(core::ByteSpan bytes, const Parser& parser) {
  const auto match = x3::match<Value>(bytes, parser >> x3::eoi);
  return match ? std::optional(match->value) : std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> hex_number(core::ByteSpan bytes) {
  return parse_all<std::uint64_t>(bytes, hex_rule);
}

std::optional<std::uint32_t> small_id(core::ByteSpan bytes) {
  if (bytes.size() > 1 && bytes[0] == '0') return std::nullopt;
  const auto number = parse_all<std::uint32_t>(bytes, decimal_rule);
  return number && *number < first_text_id ? number : std::nullopt;
}

}  // namespace heapcheck::chrome::legacy::grammar
