// Where and how reading a JSON document ended. This must not depend on how it was read.
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
  require(one.offset == other.offset, "the document or the error ends at the same offset");
  require(one.error.has_value() == other.error.has_value(), "the same documents have errors");
  require(!one.error || one.error->kind == other.error->kind, "errors are of the same kind");
  require(!one.error || one.error->message == other.error->message, "errors say the same");
}

}  // namespace heapcheck::fuzz
