// The validator under test as one function: bytes in, verdict and findings out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/core/bytes.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::conformance {

struct FoundFinding {
  std::string rule;
  std::uint64_t offset = 0;                     ///< in the file
  std::optional<std::uint64_t> content_offset;  ///< in the decompressed content at that place
  std::string path;
  std::string message;
};

struct CheckResult {
  std::string verdict;  ///< "valid", "not valid", "not well-formed", "undecided" or "unreadable"
  std::vector<FoundFinding> findings;
};

/// Settings for checking the bytes of a case.
struct CheckSettings {
  Limits limits;
  std::string reader;  ///< the reader that must be able to use the bytes; empty if there is none
  std::optional<std::uint64_t> max_text = {};   ///< the length of the reader's longest string in characters
  std::optional<std::uint64_t> max_calls = {};  ///< the depth of the deepest trace tree that the reader can
                                                ///< follow
};

/// Checks the bytes. Returns nothing if there is no reader with the name in `settings`.
std::optional<CheckResult> check(core::ByteSpan bytes, const CheckSettings& settings);

/// Sets the limit with that name. Returns false if no limit has that name.
bool set_limit(CheckSettings& settings, std::string_view name, std::uint64_t value);

}  // namespace heapcheck::conformance
