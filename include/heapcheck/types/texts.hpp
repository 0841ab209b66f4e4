// A list of strings, such as the names in a graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heapcheck {

/// Strings, stored one after another in one buffer. Owns the buffer.
class Texts {
 public:
  /// Appends a string and returns its index.
  std::uint32_t add(std::string_view text) {
    text_.append(text);
    ends_.push_back(text_.size());
    return static_cast<std::uint32_t>(ends_.size() - 1);
  }
  /// Reserves space for `count` strings with a total size of `byte_count` bytes.
  void reserve(std::size_t count, std::size_t byte_count) {
    ends_.reserve(count);
    text_.reserve(byte_count);
  }
  /// The number of strings.
  [[nodiscard]] std::size_t count() const { return ends_.size(); }
  /// The string at `index`, which must be below count().
  [[nodiscard]] std::string_view operator[](std::size_t index) const {
    const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(text_).substr(begin, ends_[index] - begin);
  }

 private:
  std::string text_;
  std::vector<std::size_t> ends_;
};

}  // namespace heapcheck
