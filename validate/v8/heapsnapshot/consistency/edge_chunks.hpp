// The types and names of edges, one chunk at a time, for checks that share one pass over all edges. Borrows
// the snapshot.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consistency {

struct EdgeChunk {
  std::uint64_t first = 0;  ///< the first edge
  std::size_t count = 0;
  std::array<std::uint8_t, format::chunk_rows> types;
  /// The low bits of `name_or_index`. Only indices can have more bits.
  std::array<std::uint32_t, format::chunk_rows> names;
  std::uint64_t largest_name = 0;  ///< the largest of all names and indices, with all its bits
};

/// Finds the number of an edge type by its name. Returns a number that is too large for any type if `meta`
/// does not name the type.
inline std::uint64_t find_edge_type(const Snapshot& snapshot, std::string_view name) {
  const auto* names = snapshot.schema.find_type_names(Section::edges, "type");
  if (names == nullptr) return UINT64_MAX;
  return static_cast<std::uint64_t>(std::ranges::find(*names, name) - names->begin());
}

class EdgeChunks {
 public:
  explicit EdgeChunks(const Snapshot& snapshot)
      : types_(snapshot, Section::edges, "type"), names_(snapshot, Section::edges, "name_or_index") {
    const auto* named = snapshot.schema.find_type_names(Section::edges, "type");
    if (types_ && names_ && named != nullptr && types_.column->largest() <= UINT8_MAX)
      count_ = names_.column->chunk_count();
  }

  /// The number of chunks, or 0 if the types of edges are unknown or exceed 255.
  [[nodiscard]] std::uint64_t count() const { return count_; }

  /// Decodes a chunk. The result is valid until the next call.
  const EdgeChunk& load(std::uint64_t chunk) {
    loaded_.first = chunk * format::chunk_rows;
    loaded_.count = types_.column->decode_chunk(chunk, loaded_.types);
    names_.column->decode_chunk(chunk, loaded_.names);
    loaded_.largest_name = names_.column->largest(chunk);
    return loaded_;
  }

 private:
  Field types_;
  Field names_;
  std::uint64_t count_ = 0;
  EdgeChunk loaded_;
};

}  // namespace heapcheck::validation::v8::heapsnapshot::consistency
