// Shared by tests that check written files with all rules.
#pragma once

#include <memory>
#include <string_view>

#include "formats/core/bytes.hpp"
#include "formats/core/source.hpp"
#include "validate/validate.hpp"

namespace heapcheck::tests {

inline Report check(core::ByteSpan bytes) {
  return validation::check_source(std::make_unique<core::MemorySource>(bytes), {});
}
inline Report check(std::string_view text) { return check(core::as_bytes(text)); }

}  // namespace heapcheck::tests
