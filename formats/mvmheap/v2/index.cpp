#include "formats/mvmheap/v2/index.hpp"

#include <utility>

namespace heapcheck::mvmheap::v2 {
namespace {

/// The records of 32 bytes up to the end of the input: the first ones, and the last one.
struct Records {
  std::vector<grammar::IndexEntry> first;
  std::uint64_t count = 0;
  grammar::Trailer last;
  std::uint64_t rest = 0;  ///< number of bytes after the last record, fewer than 32
};

Records read_records(core::Window& window, std::uint64_t kept) {
  Records records;
  for (;;) {
    const core::ByteSpan bytes = window.peek(index_entry_bytes);
    const auto entry = grammar::index_entry(bytes);
    if (!entry) {
      records.rest = window.skip(bytes.size());
      return records;
    }
    if (records.count++ < kept) records.first.push_back(*entry);
    records.last = grammar::trailer(bytes).value_or(grammar::Trailer{});
    window.consume(index_entry_bytes);
  }
}

grammar::Trailer as_trailer(const grammar::IndexEntry& entry) {
  return {entry.collectables, entry.references, entry.middle, entry.increments};
}

/// The number of sizes that match the expected ones.
int count_agreeing_sizes(const grammar::Trailer& found, const grammar::Trailer& expected) {
  return static_cast<int>(found.strings == expected.strings) +
         static_cast<int>(found.types == expected.types) +
         static_cast<int>(found.static_frames == expected.static_frames);
}

}  // namespace

IndexRead read_index(core::Window& window, const SectionContainer& container) {
  const std::uint64_t start = window.offset();
  const std::uint64_t snapshots = container.snapshots.size();
  Records records = read_records(window, snapshots + 1);
  Index index;
  const auto end_after = [&](std::uint64_t entries, const grammar::Trailer& trailer) {
    index.span = {start, (entries + 1) * index_entry_bytes};
    const Span trailing{index.span.end(), window.offset() - index.span.end()};
    if (records.first.size() > std::min(entries, snapshots))
      records.first.resize(static_cast<std::size_t>(std::min(entries, snapshots)));
    index.entries = std::move(records.first);
    index.trailer = trailer;
    return IndexRead{std::move(index), trailing};
  };
  constexpr int enough = 2;
  const bool is_own_count =
      records.rest == 0 && records.count != 0 && records.last.snapshots == records.count - 1;
  if (records.count > snapshots) {
    const grammar::Trailer expected = as_trailer(records.first[static_cast<std::size_t>(snapshots)]);
    const bool is_expected =
        expected.snapshots == snapshots || count_agreeing_sizes(expected, container.last) >= enough;
    return is_expected || !is_own_count ? end_after(snapshots, expected)
                                        : end_after(records.count - 1, records.last);
  }
  if (is_own_count && count_agreeing_sizes(records.last, container.last) >= enough)
    return end_after(records.count - 1, records.last);
  return {};
}

}  // namespace heapcheck::mvmheap::v2
