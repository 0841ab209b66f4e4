// Hashes strings so that the hash of a concatenation can be computed from the hashes of its parts. The
// contents of concatenated strings can therefore be compared without being put together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heapcheck::analyze {

/// The largest length in TextMeasure::units, at which V8 cuts off contents and DevTools stops putting them
/// together.
inline constexpr std::uint32_t longest_text = 1024;

/// The length of a string in UTF-16, at most longest_text.
[[nodiscard]] std::uint32_t count_units(std::string_view text);

/// Two hashes of a string, computed with different keys that only this process knows. Nobody can construct
/// different strings for which both hashes are the same. By chance, this happens for strings of a megabyte
/// with a probability of 2^-80. Strings with the same two hashes are therefore considered equal, and need not
/// be compared.
struct TextMeasure {
  std::array<std::uint64_t, 2> hashes{};
  std::uint64_t bytes = 0;
  std::uint32_t units = 0;  ///< the length in UTF-16; at most longest_text
  bool is_known = false;
};

class TextHasher {
 public:
  TextHasher();
  [[nodiscard]] TextMeasure measure(std::string_view text) const;
  /// The measure of the two strings joined.
  [[nodiscard]] TextMeasure join(const TextMeasure& first, const TextMeasure& second) const;

 private:
  static constexpr std::size_t step = 8;  // bytes that are hashed at once
  using Powers = std::array<std::uint64_t, step>;
  std::array<Powers, 2> keys_{};  // the first powers of both keys

  [[nodiscard]] static std::uint64_t hash(const Powers& key, std::string_view text);
  [[nodiscard]] static std::uint64_t power_of(const Powers& key, std::uint64_t exponent);
};

}  // namespace heapcheck::analyze
