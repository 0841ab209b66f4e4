#include "formats/core/keyed_hash.hpp"

#include <bit>
#include <random>

#include "formats/core/codec.hpp"

namespace heapcheck::core {
namespace {

/// The four words of SipHash's state.
struct SipState {
  std::uint64_t a;
  std::uint64_t b;
  std::uint64_t c;
  std::uint64_t d;

  void mix(int rounds) {
    for (; rounds != 0; --rounds) {
      a += b;
      c += d;
      b = std::rotl(b, 13) ^ a;
      d = std::rotl(d, 16) ^ c;
      a = std::rotl(a, 32);
      c += b;
      a += d;
      b = std::rotl(b, 17) ^ c;
      d = std::rotl(d, 21) ^ a;
      c = std::rotl(c, 32);
    }
  }
  void add(std::uint64_t word, int rounds) {
    d ^= word;
    mix(rounds);
    a ^= word;
  }
};

HashKey make_key() {
  std::random_device random;
  const auto word = [&random] { return std::uint64_t{random()} << 32U | random(); };
  return {word(), word()};
}

HashKey& key_of_process() {
  static HashKey key = make_key();
  return key;
}

}  // namespace

template <int rounds, int final_rounds>
std::uint64_t sip_hash(const HashKey& key, ByteSpan bytes) {
  constexpr std::size_t word_bytes = 8;
  SipState state{key[0] ^ 0x736F6D6570736575, key[1] ^ 0x646F72616E646F6D, key[0] ^ 0x6C7967656E657261,
                 key[1] ^ 0x7465646279746573};
  std::uint64_t last = std::uint64_t{bytes.size()} << 56U;
  for (; bytes.size() >= word_bytes; bytes = bytes.subspan(word_bytes))
    state.add(decode_le<std::uint64_t>(bytes.data()), rounds);
  for (std::size_t i = 0; i < bytes.size(); ++i) last |= std::uint64_t{bytes[i]} << (8 * i);
  state.add(last, rounds);
  state.c ^= 0xFF;
  state.mix(final_rounds);
  return state.a ^ state.b ^ state.c ^ state.d;
}

template std::uint64_t sip_hash<1, 3>(const HashKey&, ByteSpan);
template std::uint64_t sip_hash<2, 4>(const HashKey&, ByteSpan);

const HashKey& hash_key() { return key_of_process(); }

void set_hash_key(const HashKey& key) { key_of_process() = key; }

}  // namespace heapcheck::core
