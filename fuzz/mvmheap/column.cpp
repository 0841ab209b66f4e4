// Property: a column contains the values encoded in its bytes, whatever their width and however the bytes are
// split into pieces, and no value is greater than the column's bound. The last two bytes of the input
// determine the width and the size of the pieces.
#include "formats/mvmheap/column.hpp"

#include <algorithm>

#include "fuzz/support/property.hpp"

using namespace heapcheck;
using fuzz::require;

namespace {

std::uint64_t decode(core::ByteSpan entry) {
  std::uint64_t value = 0;
  for (std::size_t i = entry.size(); i-- > 0;) value = value << 8 | entry[i];
  return value;
}

template <class T>
void check_column(core::ByteSpan bytes, unsigned entry_bytes, std::size_t piece_bytes) {
  mvmheap::Column<T> column;
  for (core::ByteSpan rest = bytes; !rest.empty();) {
    const core::ByteSpan piece = rest.first(std::min(piece_bytes, rest.size()));
    column.append(piece, entry_bytes);
    rest = rest.subspan(piece.size());
  }
  require(column.count() * entry_bytes == bytes.size(), "every entry becomes a value");
  for (std::uint64_t i = 0; i < column.count(); ++i) {
    const std::uint64_t value = decode(bytes.subspan(i * entry_bytes, entry_bytes));
    require(column[i] == value, "a value equals the one encoded in its bytes");
    require(!column.is_narrow() || value <= column.narrow_bound(),
            "no value of a narrow column is greater than its bound");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const unsigned entry_bytes = 2U << data[size - 1] % 3U;
  const std::size_t piece_bytes = entry_bytes * std::size_t{1U + data[size - 2]};
  const core::ByteSpan bytes(data, size - size % entry_bytes);
  check_column<std::uint16_t>(bytes, entry_bytes, piece_bytes);
  check_column<std::uint32_t>(bytes, entry_bytes, piece_bytes);
  return 0;
}
