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

std::size_t measure_plain(core::ByteSpan bytes) {
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
      const auto place = static_cast<std::size_t>(std::countr_zero(rest));
      if (is_suspect(from + place)) return offset + place;
    }
  }
#endif
  while (bytes.size() - offset > reach && !is_suspect(bytes.data() + offset)) ++offset;
  return offset;
}

std::uint64_t PlainRun::skip(core::JsonReader& json) {
  constexpr std::size_t step = 8192;  // so that a large event is not looked at in vain for long
  std::uint64_t total = 0;
  for (;;) {
    gap_begin_ = json.span().end();
    const core::ByteSpan bytes = json.peek_elements();
    const std::size_t plain = bytes.empty() ? 0 : measure(bytes, json.span().offset);
    const std::size_t count = plain == 0 ? 0 : json.skip_objects(std::min(plain, step));
    if (count == 0) return total;
    total += count;
  }
}

std::size_t PlainRun::measure(core::ByteSpan bytes, std::uint64_t offset) {
  if (end_ < offset) {
    end_ = offset;
    is_over_ = false;
  }
  if (!is_over_) {
    const std::size_t known = std::min<std::size_t>(end_ - offset, bytes.size());
    const core::ByteSpan rest = bytes.subspan(known);
    const std::size_t plain = measure_plain(rest);
    end_ = offset + known + plain;
    is_over_ = rest.size() - plain > 2;
  }
  return std::min<std::size_t>(end_ - offset, bytes.size());
}

}  // namespace heapcheck::chrome
