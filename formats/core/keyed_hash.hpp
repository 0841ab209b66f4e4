// The hash of everything that comes from a file and is a key of a hash table. Its secret is different in each
// process, so nobody can write a file whose keys collide.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "formats/core/bytes.hpp"

namespace heapcheck::core {

/// The 128 bits of a key, low half first.
using HashKey = std::array<std::uint64_t, 2>;

/// SipHash with `rounds` rounds per 8 bytes and `final_rounds` at the end (Aumasson and Bernstein, "SipHash:
/// a fast short-input PRF", 2012), of bytes of any length.
template <int rounds, int final_rounds>
std::uint64_t sip_hash(const HashKey& key, ByteSpan bytes);

extern template std::uint64_t sip_hash<1, 3>(const HashKey&, ByteSpan);
extern template std::uint64_t sip_hash<2, 4>(const HashKey&, ByteSpan);

/// The key of this process. No output may depend on it.
const HashKey& hash_key();

/// Replaces the key of this process, for tests. Tables that exist already must not be used any more.
void set_hash_key(const HashKey& key);

/// Hashes texts and numbers with the key of this process, for std::unordered_map and its like.
struct KeyedHash {
  using is_transparent = void;

  std::size_t operator()(std::string_view text) const { return sip_hash<1, 3>(hash_key(), as_bytes(text)); }

  template <class Number>
    requires std::integral<Number> || std::is_enum_v<Number>
  std::size_t operator()(Number number) const {
    return mix(static_cast<std::uint64_t>(number) ^ hash_key()[0]);
  }

  /// Adds a number to the hash of those before it.
  static std::size_t combine(std::size_t hash, std::uint64_t number) {
    return mix(hash ^ KeyedHash{}(number));
  }

 private:
  /// Multiplies with the secret and folds the product of 128 bits.
  static std::uint64_t mix(std::uint64_t value) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(value) * (hash_key()[1] | 1U);
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
  }
};

}  // namespace heapcheck::core
