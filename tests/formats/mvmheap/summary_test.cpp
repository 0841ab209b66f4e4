#include "formats/mvmheap/summary.hpp"

#include "tests/support/catch.hpp"

using namespace heapcheck;
using heapcheck::mvmheap::Collectables;
using heapcheck::mvmheap::SummaryBuilder;

TEST_CASE("a summary without shares has the same totals as one with shares", "[mvmheap][summary]") {
  mvmheap::Collectables collectables;
  for (const std::uint64_t kind : {9U, 1U, 4U, 1U}) {
    const bool is_root = kind == 9;
    collectables.kind.push_back(kind);
    collectables.type_or_frame_index.push_back(is_root ? 0 : 2);
    collectables.size.push_back(is_root ? 0 : 24);
    collectables.unmanaged_size.push_back(0);
    collectables.refs_start.push_back(0);
    collectables.num_refs.push_back(0);
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

TEST_CASE("rows are added later if only later rows show that their indices are plausible",
          "[mvmheap][summary]") {
  constexpr std::uint64_t rows = 1'000'000;
  constexpr std::uint64_t types = 100'000;
  Collectables collectables;
  SummaryBuilder builder;
  for (std::uint64_t row = 0; row < rows; ++row) {
    collectables.kind.push_back(1);
    collectables.type_or_frame_index.push_back(row % types);
    collectables.size.push_back(10);
    collectables.unmanaged_size.push_back(0);
    collectables.refs_start.push_back(0);
    collectables.num_refs.push_back(0);
    if (row == types) {
      CHECK(builder.add(collectables, 2));
      CHECK(builder.count() == 0);
      CHECK_FALSE(SummaryBuilder().add(collectables, 1));  // there are no later rows
    }
  }
  CHECK(builder.add(collectables, 2));
  CHECK(builder.count() == rows);
}
