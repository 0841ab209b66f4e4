// Reads the members of a JSON object as the values of options, for programs that receive requests as JSON.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/core/json/reader.hpp"
#include "heapcheck/types/result.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck::core {

/// What to do with values that are not the value of an option: objects, and arrays that contain anything but
/// strings and numbers.
enum class OtherValues : std::uint8_t { refuse, skip };

/// A member whose value is an object with options of its own.
struct InnerValues {
  std::string_view key;
  OptionValues* values;  ///< where its members go
  OtherValues others = OtherValues::refuse;
  std::vector<std::string>* skipped = nullptr;  ///< where the names of skipped members go, if they matter
};

/// Reads the rest of an object whose `{` is the current token. Numbers are counts if they are integers, and
/// numbers in arrays become strings. Of several members with the same name, the last one counts. Errors:
/// unsupported if the text is not JSON, or contains a value that is refused.
[[nodiscard]] Result<OptionValues> read_option_values(JsonReader& json, OtherValues others,
                                                      std::span<const InnerValues> inner = {});

}  // namespace heapcheck::core
