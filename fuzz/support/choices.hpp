// Choices for generators and mutators, taken from a fuzz input or from a random seed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "formats/core/bytes.hpp"
#include "formats/core/text/utf8.hpp"

namespace heapcheck::fuzz {

/// Replaces invalid UTF-8 with replacement characters.
inline std::string repair_utf8(std::string_view text) {
  std::string repaired;
  for (core::ByteSpan rest = core::as_bytes(text); !rest.empty();) {
    const auto decoded = core::decode_utf8(rest).value_or(core::DecodedUtf8{core::replacement_character, 1});
    core::encode_utf8(decoded.code_point, repaired);
    rest = rest.subspan(decoded.byte_count);
  }
  return repaired;
}

/// Takes choices from the bytes of an input, which it borrows. After the end of the input, all choices are
/// zero or empty, so every input is valid.
struct Choices {
  explicit Choices(std::string_view input) : rest(input) {}
  explicit Choices(core::ByteSpan input) : rest(core::as_text(input)) {}

  std::string_view take(std::size_t count) {
    const std::string_view taken = rest.substr(0, count);
    rest.remove_prefix(taken.size());
    return taken;
  }
  std::uint8_t take_byte() { return rest.empty() ? 0 : static_cast<std::uint8_t>(take(1)[0]); }
  template <class T>
  T take_number() {
    T value{};
    const std::string_view bytes = take(sizeof value);
    std::memcpy(&value, bytes.data(), bytes.size());
    return value;
  }
  std::string_view take_text() { return take(take_byte() % 40); }

  bool take_bool() { return take_byte() % 2 != 0; }
  /// Returns a number below `count`, which must not be 0. Uses two bytes if one is not enough.
  std::size_t below(std::size_t count) {
    return (count > 256 ? take_number<std::uint16_t>() : take_byte()) % count;
  }
  /// Returns a number that is usually small, and sometimes near the largest number of 32 or 64 bits.
  std::uint64_t take_amount() {
    const std::uint8_t kind = take_byte();
    if (kind < 0xC0) return kind % 0x40;
    if (kind < 0xE0) return take_number<std::uint16_t>();
    return kind < 0xF0 ? UINT32_MAX - kind % 4U + 2U : take_number<std::uint64_t>();
  }
  /// Returns any UTF-8 string, or a string that readers are likely to misread.
  std::string take_name() {
    static constexpr std::string_view odd[]{"",          "(root)", "<self>", "[unknown]", "__proto__",
                                            "\"\\/\n\t", "\x7F",   "[{\"",   "0x10",      "\xF4\x8F\xBF\xBF"};
    const std::uint8_t kind = take_byte();
    if (kind < 0xC0) return repair_utf8(take(kind % 40));
    return kind < 0xF0 ? std::string(odd[kind % std::size(odd)]) : std::string(100U * (kind - 0xEFU), 'n');
  }

  std::string_view rest;
};

class RandomChoices {
 public:
  explicit RandomChoices(unsigned seed) : random_(seed) {}

  /// Returns a number below `count`, which must not be 0.
  std::size_t below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }

 private:
  std::minstd_rand random_;
};

/// Chooses the largest number of some width, or one of the two numbers before it.
template <class Source>
std::uint64_t choose_edge(Source& source) {
  const auto largest = (std::uint64_t{1} << (8 * (1 + source.below(8)) - 1)) * 2 - 1;
  return largest - source.below(3);
}

/// Chooses a number near `old`, a number at the limit of some width, or a small number.
template <class Source>
std::uint64_t choose_near(Source& source, std::uint64_t old) {
  switch (source.below(5)) {
    case 0:
      return old + 1;
    case 1:
      return old - 1;
    case 2:
      return choose_edge(source);
    case 3:
      return old ^ (std::uint64_t{1} << source.below(64));
    default:
      return source.below(40);
  }
}

/// Makes distinct numbers below 2^53 in any order, because an odd step reaches each of them once.
class Different {
 public:
  Different(std::uint64_t first, std::uint64_t step) : next_(first), step_(step | 1U) {}
  std::uint64_t next() { return std::exchange(next_, next_ + step_) % (std::uint64_t{1} << 53U); }

 private:
  std::uint64_t next_;
  std::uint64_t step_;
};

/// Takes amounts whose sum is below 2^64.
struct Shares {
  std::uint64_t take(Choices& choices) {
    const std::uint64_t share = std::min(choices.take_amount(), left);
    left -= share;
    return share;
  }

  std::uint64_t left = UINT64_MAX;
};

}  // namespace heapcheck::fuzz
