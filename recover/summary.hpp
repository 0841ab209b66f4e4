// Describes a recovery: as text for people, and as JSON for programs.
#pragma once

#include <string>
#include <string_view>

#include "heapcheck/types/recovery.hpp"

namespace heapcheck::recovery {

/// What was kept, dropped and changed, in several lines. If nothing was written, the first line is a clause
/// that says why, for a message about the input.
[[nodiscard]] std::string make_text(const Recovery& recovery, std::string_view output);

/// The names that the document contains.
struct SummaryNames {
  std::string_view version;
  std::string_view input;
  std::string_view output;
};

/// One JSON document. spec: recovery.schema.json
[[nodiscard]] std::string make_json(const Recovery& recovery, const SummaryNames& names);

}  // namespace heapcheck::recovery
