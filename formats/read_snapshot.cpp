#include "formats/read_snapshot.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "formats/format.hpp"
#include "formats/open.hpp"

namespace heapcheck::formats {
namespace {

/// Reads all parts, as names of a snapshot may come after it, and as the tables are complete only then.
std::optional<mvmheap::FoundSnapshot> find_by_scanning(mvmheap::DumpReader& reader, std::uint64_t index) {
  std::optional<mvmheap::FoundSnapshot> found;
  while (mvmheap::Part* const part = reader.read_part()) {
    if (part->index != index || !part->has_snapshot || found) continue;
    found = mvmheap::FoundSnapshot{.part = {}, .is_whole = reader.has_whole_snapshot(), .tables = {}};
    found->part = std::move(*part);
  }
  if (found) found->tables = reader.tables();
  return found;
}

}  // namespace

Result<mvmheap::FoundSnapshot> read_snapshot(core::SeekableSource& source, const Limits& limits,
                                             std::uint64_t index) {
  core::SilentSink sink;
  auto dump = open_mvmheap(source, limits, sink);
  if (!dump) return std::unexpected(std::move(dump.error()));
  const mvmheap::Version& version = *info_of(dump->format).version;
  if (dump->input.input.compression == Compression::none && version.find_snapshot != nullptr) {
    if (auto found = version.find_snapshot(source, limits, index)) return std::move(*found);
  }
  if (auto found = find_by_scanning(*dump->reader, index)) return std::move(*found);
  return std::unexpected(Error{ErrorKind::unreadable, fmt::format("has no snapshot {}", index)});
}

}  // namespace heapcheck::formats
