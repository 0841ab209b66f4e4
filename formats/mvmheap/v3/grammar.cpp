#include "formats/mvmheap/v3/grammar.hpp"

#include <boost/fusion/adapted/struct/adapt_struct.hpp>
#include <string>

#include "formats/core/text/x3.hpp"

BOOST_FUSION_ADAPT_STRUCT(heapcheck::mvmheap::v3::grammar::ColumnHead, entry_bytes, size)

namespace heapcheck::mvmheap::v3::grammar {
namespace {

namespace x3 = core::x3;

const auto raw_kind_rule = x3::repeat(kind_bytes)[x3::byte_];
const auto u64_rule = x3::little_qword;

std::optional<std::uint64_t> u64(core::ByteSpan bytes) {
  const auto match = x3::match<std::uint64_t>(bytes, u64_rule);
  return match ? std::optional(match->value) : std::nullopt;
}

}  // namespace

bool magic(core::ByteSpan bytes) {
  return x3::match<x3::unused_type>(bytes, x3::omit[x3::lit(std::string(v3::magic))]).has_value();
}

std::optional<RawKind> kind(core::ByteSpan bytes) {
  const auto match = x3::match<std::string>(bytes, raw_kind_rule);
  if (!match) return std::nullopt;
  RawKind raw;
  match->value.copy(raw.bytes.data(), raw.bytes.size());
  return raw;
}

std::optional<std::uint64_t> block_size(core::ByteSpan bytes) { return u64(bytes); }

std::optional<ColumnHead> column_head(core::ByteSpan bytes) {
  const auto match = x3::match<ColumnHead>(bytes, x3::little_word >> u64_rule);
  return match ? std::optional(match->value) : std::nullopt;
}

std::optional<std::uint64_t> toc_count(core::ByteSpan bytes) { return u64(bytes); }

std::optional<TocEntry> toc_entry(core::ByteSpan bytes) {
  TocEntry entry;
  const auto raw = kind(bytes);
  if (!raw) return std::nullopt;
  entry.kind = *raw;
  const auto start = u64(bytes.subspan(kind_bytes));
  if (!start) return std::nullopt;
  entry.start = *start;
  const auto end = u64(bytes.subspan(kind_bytes + sizeof(std::uint64_t)));
  if (!end) return std::nullopt;
  entry.end = *end;
  return entry;
}

std::optional<std::uint64_t> toc_start(core::ByteSpan bytes) { return u64(bytes); }

std::optional<std::uint32_t> string_length(core::ByteSpan bytes) {
  const auto match = x3::match<std::uint32_t>(bytes, x3::little_dword);
  return match ? std::optional(match->value) : std::nullopt;
}

}  // namespace heapcheck::mvmheap::v3::grammar
