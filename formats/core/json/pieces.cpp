
#include <algorithm>

#include "formats/core/hot_loop.hpp"
#include "formats/core/json/leaf.hpp"

namespace heapcheck::core::json {
namespace {

constexpr std::size_t comma_block_bytes = 128;

/// Counts the commas in a block. Because there are fewer than 256, many bytes can be added at a time.
HEAPCHECK_HOT_LOOP std::size_t count_block_commas(const std::uint8_t* block) {
  std::uint8_t count = 0;
  for (std::size_t i = 0; i < comma_block_bytes; ++i)
    count = static_cast<std::uint8_t>(count + (block[i] == ',' ? 1 : 0));
  return count;
}

/// The number of bytes up to and including comma number `count`; 0 if there are fewer commas.
std::size_t find_comma(ByteSpan bytes, std::size_t count) {
  std::size_t at = 0;
  while (bytes.size() - at >= comma_block_bytes) {
    const std::size_t here = count_block_commas(bytes.data() + at);
    if (here >= count) break;
    count -= here;
    at += comma_block_bytes;
  }
  for (; at < bytes.size(); ++at) {
    if (bytes[at] == ',' && --count == 0) return at + 1;
  }
  return 0;
}

/// Decodes one element and the comma after it. Returns their number of bytes, or 0 if something else comes
/// next.
std::size_t decode_one(ByteSpan bytes, std::uint64_t& value) {
  const auto lexeme = decode_unsigned(bytes);
  if (!lexeme) return 0;
  value = lexeme->value;
  std::size_t end = lexeme->byte_count;  // there are always more bytes than this
  if (bytes[end] == '\n' && end + 1 < bytes.size()) ++end;
  return bytes[end] == ',' ? end + 1 : 0;
}

}  // namespace

std::vector<ByteSpan> cut_at_commas(ByteSpan bytes, std::size_t comma_count) {
  std::vector<ByteSpan> pieces;
  for (;;) {
    const std::size_t length = find_comma(bytes, comma_count);
    if (length == 0) return pieces;
    pieces.push_back(bytes.first(length));
    bytes = bytes.subspan(length);
  }
}

bool decode_piece(ByteSpan piece, std::span<std::uint64_t> values) {
  std::size_t count = 0;
  while (count < values.size()) {
    const UnsignedRun run = decode_unsigned_run(piece, values.subspan(count));
    piece = piece.subspan(run.byte_count);
    count += run.count;
    if (count == values.size()) break;
    const std::size_t byte_count = decode_one(piece, values[count]);
    if (byte_count == 0) return false;
    piece = piece.subspan(byte_count);
    ++count;
  }
  return piece.empty();
}

}  // namespace heapcheck::core::json
