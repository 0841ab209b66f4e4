// The state of a JSON document between two tokens: which kind of token may come next, and which arrays and
// objects are open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heapcheck::core::json {

enum class State : std::uint8_t {
  value,          ///< a value comes next
  first_element,  ///< after `[`
  first_key,      ///< after `{`
  after_key,      ///< a colon comes next
  after_value,
  done,
  failed,
};

/// The stack of open arrays and objects, with one bit each and the innermost on top.
class Nesting {
 public:
  void push(bool is_object) {
    if (depth_ % word_bits == 0 && depth_ / word_bits == words_.size()) words_.push_back(0);
    std::uint64_t& word = words_[depth_ / word_bits];
    const std::uint64_t bit = std::uint64_t{1} << (depth_ % word_bits);
    word = is_object ? word | bit : word & ~bit;
    ++depth_;
    is_object_ = is_object;
  }
  /// Closes the innermost array or object, which must exist.
  void pop() {
    --depth_;
    is_object_ = depth_ != 0 && (words_[(depth_ - 1) / word_bits] >> ((depth_ - 1) % word_bits) & 1U) != 0;
  }
  [[nodiscard]] std::size_t depth() const { return depth_; }
  [[nodiscard]] bool in_object() const { return is_object_; }
  [[nodiscard]] bool in_array() const { return depth_ != 0 && !is_object_; }

 private:
  static constexpr std::size_t word_bits = 64;

  std::vector<std::uint64_t> words_;
  std::size_t depth_ = 0;
  bool is_object_ = false;
};

}  // namespace heapcheck::core::json
