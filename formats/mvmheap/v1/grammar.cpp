#include "formats/mvmheap/v1/grammar.hpp"

#include <string>
#include <vector>

#include "formats/core/text/x3.hpp"

namespace heapcheck::mvmheap::v1::grammar {
namespace {

namespace x3 = core::x3;

const auto number_rule = x3::uint_parser<std::uint64_t>();
const auto line_end_rule = x3::lit('\n') | x3::lit("\r\n");

/// The number of bytes that `parser` matches at the front.
template <class Parser>
std::optional<std::size_t> measure(core::ByteSpan bytes, const Parser& parser) {
  const auto match = x3::match<x3::unused_type>(bytes, x3::omit[parser]);
  return match ? std::optional(match->byte_count) : std::nullopt;
}

}  // namespace

std::optional<std::size_t> line_end(core::ByteSpan bytes) { return measure(bytes, line_end_rule); }

std::optional<std::size_t> ignored_line(core::ByteSpan bytes) {
  return measure(bytes, -(x3::lit('#') >> *(x3::char_ - '\n')) >> line_end_rule);
}

std::optional<LineKind> line_head(core::ByteSpan bytes) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (measure(bytes, x3::lit(std::string(lines[i].head)))) return static_cast<LineKind>(i);
  }
  return std::nullopt;
}

std::optional<SnapshotNumber> snapshot_number(core::ByteSpan bytes) {
  const auto match = x3::match<std::uint64_t>(bytes, number_rule);
  if (!match || !line_end(bytes.subspan(match->byte_count))) return std::nullopt;
  return SnapshotNumber{match->value, match->byte_count};
}

std::optional<Item> item(core::ByteSpan bytes) {
  const auto match = x3::match<std::vector<std::uint64_t>>(bytes, number_rule % ',');
  if (!match || match->byte_count != bytes.size()) return std::nullopt;
  Item found;
  for (const std::uint64_t value : match->value) {
    if (found.count == found.fields.size()) break;
    found.fields[found.count++] = value;
  }
  return found;
}

bool separator(core::ByteSpan bytes) { return measure(bytes, x3::lit("\",\"")).has_value(); }

std::optional<std::size_t> strings_end(core::ByteSpan bytes) {
  return measure(bytes, x3::lit("\"]") >> line_end_rule);
}

}  // namespace heapcheck::mvmheap::v1::grammar
