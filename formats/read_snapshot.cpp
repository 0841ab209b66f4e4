#include "formats/read_snapshot.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "formats/format.hpp"
#include "formats/open.hpp"

namespace heapcheck::formats {
namespace {

/// Reads all parts, because names may come after the snapshot that uses them, and the tables are complete
/// only at the end.
Result<mvmheap::FoundSnapshot> find_by_scanning(mvmheap::DumpReader& reader, std::uint64_t index) {
  std::optional<mvmheap::FoundSnapshot> found;
  std::uint64_t count = 0;
  while (mvmheap::Part* const part = reader.read_part()) {
    if (!part->has_snapshot) continue;
    ++count;
    if (part->index == index && !found)
      found = mvmheap::FoundSnapshot{.part = std::move(*part), .tables = {}};
    part->snapshot = {};  // otherwise its columns would count towards the memory limit of the next part
  }
  if (!found) return std::unexpected(make_missing_snapshot(index, count));
  found->tables = reader.tables();
  return std::move(*found);
}

}  // namespace

Error make_missing_snapshot(std::uint64_t index, std::uint64_t count) {
  return {ErrorKind::unsupported,
          count == 1 ? fmt::format("no snapshot {}: found 1 snapshot, which is number 0", index)
                     : fmt::format("no snapshot {}: found {} snapshots, counted from 0", index, count)};
}

Result<mvmheap::FoundSnapshot> read_snapshot(core::SeekableSource& source, const Limits& limits,
                                             std::uint64_t index) {
  core::SilentSink sink;
  auto dump = open_mvmheap(source, limits, sink);
  if (!dump) return std::unexpected(std::move(dump.error()));
  const mvmheap::Version& version = *info_of(dump->format).version;
  if (dump->input.input.compression == Compression::none && version.find_snapshot != nullptr) {
    if (auto found = version.find_snapshot(source, limits, index)) return std::move(*found);
  }
  return find_by_scanning(*dump->reader, index);
}

}  // namespace heapcheck::formats
