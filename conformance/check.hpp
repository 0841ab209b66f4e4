// The validator under test, behind one function: bytes in, verdict and findings out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/core/bytes.hpp"
#include "heapcheck/limits.hpp"

namespace heapcheck::conformance {

struct FoundFinding {
  std::string rule;
  std::uint64_t offset = 0;                     ///< in the file
  std::optional<std::uint64_t> content_offset;  ///< in the decompressed content that stands there
  std::string path;
  std::string message;
};

struct CheckResult {
  std::string verdict;  ///< "valid", "not valid", "not well-formed", "undecided" or "unreadable"
  std::vector<FoundFinding> findings;
};

/// How a case wants its bytes checked.
struct CheckSettings {
  Limits limits;
  std::string reader;                           ///< whom for; empty for nobody
  std::optional<std::uint64_t> max_text = {};   ///< characters of the reader's longest string
  std::optional<std::uint64_t> max_calls = {};  ///< depth of a trace tree that the reader can go down
};

/// Nothing where there is no reader of that name.
std::optional<CheckResult> check(core::ByteSpan bytes, const CheckSettings& settings);

/// Sets the cap of that name; false where there is none.
bool set_limit(CheckSettings& settings, std::string_view name, std::uint64_t value);

}  // namespace heapcheck::conformance
