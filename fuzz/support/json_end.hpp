// The offset at which reading a JSON document ended, and the error. Neither may depend on how it was read.
#pragma once

#include <optional>

#include "formats/core/json/reader.hpp"
#include "fuzz/support/property.hpp"

namespace heapcheck::fuzz {

struct JsonEnd {
  std::uint64_t offset = 0;
  std::optional<core::JsonError> error;
};

inline JsonEnd end_of(const core::JsonReader& reader) { return {reader.span().offset, reader.error()}; }

inline void require_same_end(const JsonEnd& one, const JsonEnd& other) {
  require(one.offset == other.offset, "reading ends at the same offset");
  require(one.error.has_value() == other.error.has_value(),
          "both ways of reading find an error, or neither does");
  require(!one.error || one.error->kind == other.error->kind, "errors are of the same kind");
  require(!one.error || one.error->message == other.error->message, "errors have the same message");
}

}  // namespace heapcheck::fuzz
