// Numbers the functions of a profile in the order in which they are first used. Owns the functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "heapcheck/types/profile.hpp"

namespace heapcheck::core {

class FrameTable {
 public:
  /// Returns the index of `frame`, which is added if it is new. Names should be small numbers.
  std::uint32_t intern(const StackFrame& frame) {
    // All frames in Chrome's traces are names only. There are many of them, so they are not searched for.
    if (frame == StackFrame{.name = frame.name}) {
      if (frame.name >= by_name_.size()) by_name_.resize(std::size_t{frame.name} + 1, unknown);
      if (by_name_[frame.name] == unknown) by_name_[frame.name] = add(frame);
      return by_name_[frame.name];
    }
    const auto [found, is_new] = by_place_.try_emplace(frame, 0);
    if (is_new) found->second = add(frame);
    return found->second;
  }
  /// The functions. Call this last.
  [[nodiscard]] std::vector<StackFrame> take() { return std::move(frames_); }

 private:
  static constexpr std::uint32_t unknown = UINT32_MAX;

  std::uint32_t add(const StackFrame& frame) {
    frames_.push_back(frame);
    return static_cast<std::uint32_t>(frames_.size() - 1);
  }

  std::vector<std::uint32_t> by_name_;
  std::map<StackFrame, std::uint32_t> by_place_;
  std::vector<StackFrame> frames_;
};

}  // namespace heapcheck::core
