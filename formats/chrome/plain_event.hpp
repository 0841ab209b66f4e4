// Tells most of a trace's events from the few that can matter for heap dumps, by their bytes alone.
#pragma once

#include <cstdint>

#include "formats/core/bytes.hpp"
#include "formats/core/json/reader.hpp"

namespace heapcheck::chrome {

/// Phases of the events that have payloads, see walker.cpp.
inline constexpr char payload_phases[] = {'v', 'M', 'P'};

/// How many of the first `bytes` of some events hold no string that can be one of the payload_phases: none
/// stands there between quotes, and no letter is escaped. The last bytes do not count, as they may begin one.
[[nodiscard]] std::size_t measure_plain(core::ByteSpan bytes);

/// Passes over the events that have no payloads. Borrows nothing between calls.
class PlainRun {
 public:
  /// In the array of events, at its start or after one: passes over those that come next and are plain, and
  /// says how many. What is strange is left to be read.
  std::uint64_t skip(core::JsonReader& json);
  /// Where the last event ended that was read or passed over, or the array's bracket stands.
  [[nodiscard]] std::uint64_t gap_begin() const { return gap_begin_; }

  /// As measure_plain(), for bytes that are looked at again and again while they are passed over;
  /// `offset`, of `bytes` in the trace, never goes back.
  [[nodiscard]] std::size_t measure(core::ByteSpan bytes, std::uint64_t offset);

 private:
  std::uint64_t end_ = 0;  // all before it is plain
  bool is_over_ = false;   // what stands there is not
  std::uint64_t gap_begin_ = 0;
};

}  // namespace heapcheck::chrome
