// Recognises the kind of a JSON document by its first bytes: JSON formats have no magic.
#pragma once

#include <cstdint>
#include <optional>

#include "formats/core/bytes.hpp"

namespace heapcheck::formats {

enum class JsonKind : std::uint8_t {
  trace,            ///< an object with `traceEvents`, or an array of events
  v8_heapsnapshot,  ///< an object with `snapshot`, or with an array `nodes`, `edges` or `strings` before it
  v8_heapprofile,   ///< an object with `head`, or with `samples` of heap profiles before it
  v8_cpuprofile,    ///< an object with a `head` that counts hits, as written by old versions
  other,            ///< JSON of another kind
  open,             ///< the first bytes do not show the kind; the rest may show that it is a trace
  cut,              ///< JSON that ends before it shows its kind
};

/// The kind of JSON document that begins with `first_bytes`; nothing if they are not JSON. `is_all` is true
/// if the document has no more bytes than these.
std::optional<JsonKind> find_json_kind(core::ByteSpan first_bytes, bool is_all);

}  // namespace heapcheck::formats
