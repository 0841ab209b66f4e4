// What the parts of the reader share: the JSON they read, where findings go, what memory is left; and
// values taken from it with the findings that go with them. Borrows everything.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/chrome/place.hpp"
#include "formats/core/finding_sink.hpp"
#include "formats/core/json/reader.hpp"
#include "formats/core/string_pool.hpp"

namespace heapcheck::chrome::heaps_v2 {

/// Memory that a model may still take.
class Budget {
 public:
  explicit Budget(std::uint64_t byte_count) : left_(byte_count) {}
  /// Whether there was that much; once there was not, there never is.
  bool take(std::uint64_t byte_count) {
    is_spent_ = is_spent_ || byte_count > left_;
    if (!is_spent_) left_ -= byte_count;
    return !is_spent_;
  }
  void give_back(std::uint64_t byte_count) { left_ += byte_count; }
  [[nodiscard]] std::uint64_t left() const { return left_; }
  [[nodiscard]] bool is_spent() const { return is_spent_; }

 private:
  std::uint64_t left_;
  bool is_spent_ = false;
};

/// Where below the payload's path something stands: `prefix`, then a row, then a member of that.
struct Spot {
  static constexpr std::uint64_t no_row = UINT64_MAX;

  std::string_view prefix = {};
  std::uint64_t row = no_row;
  std::string_view member = {};

  [[nodiscard]] std::string path() const;
};

class Input {
 public:
  Input(core::JsonReader& reader, const Place& place, core::FindingSink& sink, Budget& budget,
        core::StringPool& pool)
      : json(reader), strings(pool), place_(&place), sink_(&sink), budget_(&budget) {}

  core::JsonReader& json;
  core::StringPool& strings;

  void report(const Rule& rule, Span span, const Spot& spot, std::string message);
  /// Takes memory, or reports limit.memory, once; then nothing may be kept any more.
  bool take_memory(std::uint64_t byte_count, const Spot& spot);

  /// Goes to the next value, which must be an object or array. False: it was another, is stepped over, and a
  /// finding says so; or the JSON is broken.
  bool enter(core::JsonToken required, const Spot& spot);
  /// Reports that the current token begins a value of a wrong type, and steps over that value.
  void refuse(core::JsonToken required, const Spot& spot);
  /// Reports that an object has the member of the current key twice, and steps over the value.
  void refuse_repeated(const Spot& spot);
  /// The current token as an integer; empty with a finding where it is none.
  std::optional<std::uint64_t> take_integer(const Spot& spot);

 private:
  const Place* place_;
  core::FindingSink* sink_;
  Budget* budget_;
};

}  // namespace heapcheck::chrome::heaps_v2
