// The hash function for all hash table keys that come from a file. Its secret is different in each process,
// so that nobody can write a file whose keys collide.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>
#include <type_traits>

#include "formats/core/bytes.hpp"
#include "formats/core/codec.hpp"

namespace heapcheck::core {

/// The 128 bits of a key, with the low half first.
using HashKey = std::array<std::uint64_t, 2>;

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

/// The SipHash of any number of bytes, with `rounds` rounds per 8 bytes and `final_rounds` rounds at the end
/// (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012).
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

/// A key that nobody can guess.
inline HashKey make_random_key() {
  std::random_device random;
  const auto word = [&random] { return std::uint64_t{random()} << 32U | random(); };
  return {word(), word()};
}

/// The key of this process. No output may depend on it. Only tests change it, after which existing tables
/// must no longer be used.
inline HashKey& hash_key() {
  static HashKey key = make_random_key();
  return key;
}

/// Hashes strings and numbers with the key of this process, for std::unordered_map and similar containers.
struct KeyedHash {
  std::size_t operator()(std::string_view text) const { return sip_hash<1, 3>(hash_key(), as_bytes(text)); }

  template <class Number>
    requires std::integral<Number> || std::is_enum_v<Number>
  std::size_t operator()(Number number) const {
    return mix(static_cast<std::uint64_t>(number) ^ hash_key()[0]);
  }

  /// Adds a number to the hash of the numbers before it.
  static std::size_t combine(std::size_t hash, std::uint64_t number) {
    return mix(hash ^ KeyedHash{}(number));
  }

 private:
  /// Multiplies by the secret and folds the 128-bit product.
  static std::uint64_t mix(std::uint64_t value) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(value) * (hash_key()[1] | 1U);
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
  }
};

}  // namespace heapcheck::core
