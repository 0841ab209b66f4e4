#include "formats/chrome/plain_event.hpp"

#include <algorithm>
#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace heapcheck::chrome {
namespace {

bool is_payload_phase(std::uint8_t byte) {
  return std::ranges::find(payload_phases, static_cast<char>(byte)) != std::end(payload_phases);
}

/// Whether the three bytes at `bytes` are a phase in quotes, or begin with an escaped letter.
bool is_suspect(const std::uint8_t* bytes) {
  if (bytes[0] == '\\') return bytes[1] == 'u';
  return bytes[0] == '"' && bytes[2] == '"' && is_payload_phase(bytes[1]);
}

}  // namespace

bool is_plain_event(core::ByteSpan bytes) {
  constexpr std::size_t reach = 2;
  std::size_t offset = 0;
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  for (; bytes.size() - offset >= 16 + reach; offset += 16) {
    const std::uint8_t* const from = bytes.data() + offset;
    const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const __m128i third = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + reach));
    const __m128i quoted = _mm_and_si128(_mm_cmpeq_epi8(first, quote), _mm_cmpeq_epi8(third, quote));
    auto rest =
        static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(quoted, _mm_cmpeq_epi8(first, backslash))));
    for (; rest != 0; rest &= rest - 1) {
      if (is_suspect(from + std::countr_zero(rest))) return false;
    }
  }
#endif
  for (; bytes.size() - offset > reach; ++offset) {
    if (is_suspect(bytes.data() + offset)) return false;
  }
  return true;
}

}  // namespace heapcheck::chrome
