#include "formats/mvmheap/summary.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace heapcheck;

TEST_CASE("a summary without shares says the same of all collectables", "[mvmheap][summary]") {
  mvmheap::Collectables collectables;
  for (const std::uint64_t kind : {9U, 1U, 4U, 1U}) {
    collectables.kind.append(std::span(&kind, 1));
    const std::uint64_t index = kind == 9 ? 0 : 2;
    const std::uint64_t size = kind == 9 ? 0 : 24;
    const std::uint64_t none = 0;
    collectables.type_or_frame_index.append(std::span(&index, 1));
    collectables.size.append(std::span(&size, 1));
    for (auto* column : {&collectables.unmanaged_size, &collectables.refs_start, &collectables.num_refs}) {
      column->append(std::span(&none, 1));
    }
  }
  for (const std::uint64_t rows : {2U, 3U}) {
    const mvmheap::TableCounts known{5, rows, rows};
    const auto all = mvmheap::summarise(collectables, known);
    const auto brief = mvmheap::summarise(collectables, known, mvmheap::Shares::none);
    CHECK(brief.types.empty());
    CHECK(brief.frames.empty());
    CHECK(brief.kind_counts == all.kind_counts);
    CHECK(brief.byte_count == all.byte_count);
    CHECK(brief.has_bad_index == all.has_bad_index);
    CHECK(brief.has_bad_index == (rows == 2));
  }
}
