// Property: whatever the input, the reader describes it consistently: lines are inside the input and in
// order, counts match the content, and everything marked as complete is complete.
#include "formats/mvmheap/v1/reader.hpp"

#include <algorithm>

#include "fuzz/support/mvmheap_dumps.hpp"

using namespace heapcheck;
using namespace heapcheck::mvmheap::v1;
using fuzz::require;

namespace {

void check_container(const LineContainer& container, std::uint64_t byte_count) {
  require(container.whole_snapshots <= container.snapshots,
          "there are at most as many complete snapshots as snapshots");
  std::uint64_t earliest = 0;
  for (const Line& line : container.lines) {
    require(fuzz::is_inside(line.span, byte_count), "a line is inside the input");
    require(line.span.offset >= earliest, "lines are sorted and do not overlap");
    require(is_table(line.kind) || line.part < container.snapshots, "a list belongs to a snapshot");
    earliest = line.span.end();
  }
}

/// Whether the part's lines of this kind have `rows` rows or, if the lines are incomplete, at least `rows`
/// rows.
bool has_rows(const LineContainer& container, LineKind kind, std::uint64_t part, std::uint64_t rows) {
  std::uint64_t count = 0;
  bool whole = true;
  for (const Line& line : container.lines) {
    if (line.kind != kind || line.part != part) continue;
    count += line.count;
    whole = whole && line.whole;
  }
  return whole ? count == rows : count >= rows;
}

void check_part(const LinePart& part, const FrontReader& reader) {
  const LineContainer& container = reader.container();
  require(part.snapshot.has_equal_columns(), "columns have the same length");
  require(part.after == reader.tables().counts(), "all rows of the tables are known at every part");
  if (!part.has_snapshot) return;
  require(part.index + 1 == container.snapshots, "the container counts the snapshots read so far");
  const auto& [collectables, references] =
      std::pair(part.snapshot.collectables.count(), part.snapshot.references.count());
  require(has_rows(container, LineKind::collectables, part.index, collectables) &&
              has_rows(container, LineKind::references, part.index, references),
          "lines and their columns have the same number of rows");
  const auto is_broken = [&part](const Line& line) {
    return !is_table(line.kind) && line.part == part.index && !line.whole;
  };
  require(!part.has_whole_graph || std::ranges::none_of(container.lines, is_broken),
          "a complete graph has complete lists");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = fuzz::require_described<FrontReader>({data, size}, check_part);
  check_container(read.container, size);
  require(read.has_findings || read.container.complete, "a file without findings is read to its end");
  return 0;
}
