// Makes damaged texts. The same generator always leads to the same texts.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace heapcheck::tests {

/// Replaces, inserts or removes up to three bytes; half of the texts are not changed. New bytes are from
/// `alphabet`.
inline std::string mutate_text(std::string text, std::string_view alphabet, std::mt19937_64& random) {
  for (auto left = random() % 2 * (1 + random() % 3); left != 0 && !text.empty(); --left) {
    const std::size_t at = random() % text.size();
    const char byte = alphabet[random() % alphabet.size()];
    switch (random() % 3) {
      case 0:
        text[at] = byte;
        break;
      case 1:
        text.insert(at, 1, byte);
        break;
      default:
        text.erase(at, 1);
    }
  }
  return text;
}

/// A number of 1 to `most_digits` digits; each length is equally likely.
inline std::uint64_t make_number(std::size_t most_digits, std::mt19937_64& random) {
  std::uint64_t limit = 10;
  for (auto digits = random() % most_digits; digits != 0; --digits) limit *= 10;
  return random() % limit;
}

}  // namespace heapcheck::tests
