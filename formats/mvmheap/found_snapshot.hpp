// One snapshot of a MoarVM dump, with the tables to which its indices refer. Owns both.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "formats/core/finding_sink.hpp"
#include "formats/core/source.hpp"
#include "formats/mvmheap/metas.hpp"
#include "formats/mvmheap/part.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::mvmheap {

struct FoundSnapshot {
  Part part;
  Tables tables;                           ///< all rows of the file
  std::optional<FileMeta> file_meta = {};  ///< if the version has it
};

/// Finds a snapshot through the file's own index, using the version's index reader. Empty if there is no such
/// snapshot, if the index cannot be followed to its end, or if any part that is read is damaged.
template <class Reader, class VersionPart>
std::optional<FoundSnapshot> find_by_index(core::SeekableSource& source, const Limits& limits,
                                           std::uint64_t index) {
  core::SilentSink silent;
  core::Tally tally(silent);
  Reader reader(source, limits, tally);
  reader.read_only_snapshot(index);
  std::optional<FoundSnapshot> found;
  VersionPart part;
  while (reader.read_part(part)) {
    if (part.index != index || !part.has_snapshot || found) continue;
    found = FoundSnapshot{.part = std::move(part), .tables = {}};
  }
  if (!found || !reader.is_complete() || !tally.clean()) return std::nullopt;
  found->tables = reader.tables();
  if constexpr (requires { reader.file_meta(); }) found->file_meta = reader.file_meta();
  return found;
}

}  // namespace heapcheck::mvmheap
