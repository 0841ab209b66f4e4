// Numbers in a V8 sampling heap profile, as JavaScript understands them: 1e6 counts as an integer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "formats/core/json/reader.hpp"

namespace heapcheck::v8::heapprofile {

/// A size, id or ordinal, without its fraction.
struct Amount {
  std::uint64_t value = 0;
  bool is_whole = true;
};

/// The current number of `json`, if it is from 0 to 2^64 - 1.
std::optional<Amount> decode_amount(const core::JsonReader& json);
/// The current number of `json` as written, for messages; shortened if it is long.
std::string describe_number(const core::JsonReader& json);
/// The current number of `json`, if it is a 32-bit integer other than the smallest one.
std::optional<std::int32_t> decode_position(const core::JsonReader& json);

}  // namespace heapcheck::v8::heapprofile
