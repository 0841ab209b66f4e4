#include "analyze/text_hasher.hpp"

#include <algorithm>

#include "formats/core/keyed_hash.hpp"

namespace heapcheck::analyze {
namespace {

// The hash of a string is the value, modulo a prime number, of a polynomial whose coefficients are its bytes.
// Different strings have the same hash only for those few keys that are zeros of the difference.

__extension__ using Wide = unsigned __int128;
constexpr std::uint64_t prime = (std::uint64_t{1} << 61U) - 1;

std::uint64_t reduce(Wide value) {
  value = (value & prime) + (value >> 61U);
  value = (value & prime) + (value >> 61U);
  return static_cast<std::uint64_t>(value >= prime ? value - prime : value);
}

std::uint64_t multiply(std::uint64_t a, std::uint64_t b) { return reduce(Wide{a} * b); }

std::uint64_t raise(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t power = 1;
  for (; exponent != 0; exponent >>= 1U) {
    if ((exponent & 1U) != 0) power = multiply(power, base);
    base = multiply(base, base);
  }
  return power;
}

/// A factor that is not 0, so that strings of zeros with different lengths have different hashes.
std::uint64_t coefficient_of(char c) { return std::uint64_t{static_cast<unsigned char>(c)} + 1; }

/// Leaves out small keys, with which sums would not exceed the prime number.
std::uint64_t make_key(std::string_view name) {
  constexpr std::uint64_t least = std::uint64_t{1} << 32U;
  return least + core::KeyedHash{}(name) % (prime - least);
}

}  // namespace

std::uint32_t count_units(std::string_view text) {
  std::uint32_t units = 0;
  for (const char c : text) {
    if (units >= longest_text) break;
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) != 0x80U) units += byte >= 0xF0U ? 2 : 1;
  }
  return std::min(units, longest_text);
}

TextHasher::TextHasher() {
  const std::array<std::uint64_t, 2> keys = {make_key("first hash of a text"),
                                             make_key("second hash of a text")};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::uint64_t power = 1;
    for (std::uint64_t& next : keys_[i]) next = power = multiply(power, keys[i]);
  }
}

std::uint64_t TextHasher::hash(const Powers& key, std::string_view text) {
  std::uint64_t hash = 0;
  for (; text.size() >= step; text.remove_prefix(step)) {
    Wide sum = Wide{hash} * key[step - 1] + coefficient_of(text[step - 1]);
    for (std::size_t i = 0; i + 1 < step; ++i) sum += Wide{coefficient_of(text[i])} * key[step - 2 - i];
    hash = reduce(sum);
  }
  for (const char c : text) hash = reduce(Wide{hash} * key[0] + coefficient_of(c));
  return hash;
}

/// Most parts of concatenated strings are short.
std::uint64_t TextHasher::power_of(const Powers& key, std::uint64_t exponent) {
  const bool is_short = exponent != 0 && exponent <= step;
  return is_short ? key[static_cast<std::size_t>(exponent - 1)] : raise(key[0], exponent);
}

TextMeasure TextHasher::measure(std::string_view text) const {
  return {.hashes = {hash(keys_[0], text), hash(keys_[1], text)},
          .bytes = text.size(),
          .units = count_units(text),
          .is_known = true};
}

TextMeasure TextHasher::join(const TextMeasure& first, const TextMeasure& second) const {
  TextMeasure joined{.bytes = first.bytes + second.bytes,
                     .units = std::min(first.units + second.units, longest_text),
                     .is_known = true};
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const std::uint64_t shift = power_of(keys_[i], second.bytes);
    joined.hashes[i] = reduce(Wide{first.hashes[i]} * shift + second.hashes[i]);
  }
  return joined;
}

}  // namespace heapcheck::analyze
