#include "analyze/stacks.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "formats/core/frame_table.hpp"
#include "formats/core/string_pool.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck;

namespace {

struct Call {
  std::uint32_t caller;
  std::string_view frame;
  std::uint32_t line = 0;
};
struct Memory {
  std::uint32_t place;
  std::string_view type;
  std::string_view allocator;
  std::uint64_t size;
  std::uint64_t count;
};

/// A profile whose root is place 0, followed by `calls`.
AllocationProfile make_profile(std::initializer_list<Call> calls, std::initializer_list<Memory> memory) {
  core::StringPool names;
  const auto name = [&names](std::string_view text) {
    return static_cast<std::uint32_t>(names.intern(text));
  };
  AllocationProfile profile;
  core::FrameTable frames;
  const auto add = [&](std::uint32_t caller, std::string_view frame, std::uint32_t line) {
    profile.caller.push_back(caller);
    profile.frame.push_back(frames.intern({.name = name(frame), .line = line}));
  };
  add(0, "(root)", 0);
  for (const Call& call : calls) add(call.caller, call.frame, call.line);
  profile.frames = frames.take();
  for (const Memory& row : memory) {
    profile.place.push_back(row.place);
    profile.type.push_back(name(row.type));
    profile.allocator.push_back(name(row.allocator));
    profile.size.push_back(row.size);
    profile.count.push_back(row.count);
  }
  for (std::uint64_t i = 0; i < names.count(); ++i) profile.texts.add(names[static_cast<core::PoolIndex>(i)]);
  return profile;
}

/// A profile in which main calls f, which calls itself through g, and which has memory without a stack.
AllocationProfile make_sample() {
  return make_profile({{0, "main"}, {1, "f"}, {2, "g"}, {3, "f"}, {1, "g"}}, {{0, "A", "malloc", 1, 1},
                                                                              {2, "A", "malloc", 10, 2},
                                                                              {4, "A", "malloc", 100, 3},
                                                                              {4, "B", "blink", 1000, 4},
                                                                              {5, "B", "malloc", 10000, 5}});
}

using Row = std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint64_t>;

std::vector<Row> count(AllocationsOf of, TopBy by = TopBy::size) {
  std::vector<Row> rows;
  for (const NodeTotals& row : analyze::count_allocations(make_sample(), of, by))
    rows.emplace_back(row.name, row.count, row.size, row.retained);
  return rows;
}

using TreeRow = std::tuple<std::uint32_t, std::string, std::uint64_t, std::uint64_t>;

std::vector<TreeRow> make_tree(const AllocationProfile& profile, StackTree tree, std::uint64_t limit = 0) {
  std::vector<TreeRow> rows;
  const auto found = analyze::find_largest_calls(profile, tree, limit, {});
  REQUIRE(found);
  for (const StackRow& row : *found)
    rows.emplace_back(row.depth, profile.texts[profile.frames[row.frame].name], row.size, row.cumulative);
  return rows;
}

/// A stack of `depth` calls to one function, each of which allocated a byte.
AllocationProfile make_recursion(std::uint32_t depth) {
  AllocationProfile profile;
  profile.caller = {0};
  profile.frame = {0};
  profile.frames = {{.name = profile.texts.add("(root)")}, {.name = profile.texts.add("f")}};
  for (std::uint32_t place = 1; place <= depth; ++place) {
    profile.caller.push_back(place - 1);
    profile.frame.push_back(1);
    profile.place.push_back(place);
    profile.size.push_back(1);
  }
  return profile;
}

}  // namespace

TEST_CASE("a frame counts once for each stack, however often it occurs there", "[analyze]") {
  CHECK(count(AllocationsOf::frames) ==
        std::vector<Row>{
            {"g", 5, 10000, 11100}, {"f", 9, 1110, 1110}, {"(root)", 1, 1, 11111}, {"main", 0, 0, 11110}});
  CHECK(std::get<0>(count(AllocationsOf::frames, TopBy::retained).front()) == "(root)");
  CHECK(std::get<0>(count(AllocationsOf::frames, TopBy::count).front()) == "f");
}

TEST_CASE("functions with the same name that start at different places have their own rows", "[analyze]") {
  const AllocationProfile profile =
      make_profile({{0, "f", 7}, {0, "f", 3}, {0, "f", 7}},
                   {{1, "A", "malloc", 1, 1}, {2, "A", "malloc", 10, 1}, {3, "A", "malloc", 100, 1}});
  const auto rows = analyze::count_allocations(profile, AllocationsOf::frames, TopBy::count);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].size == 101);
  CHECK(rows[0].place == Place{.file = {}, .line = 7, .column = 0});
  CHECK(rows[1].size == 10);
  CHECK(rows[1].place == Place{.file = {}, .line = 3, .column = 0});
  CHECK(make_tree(profile, StackTree::from_root) ==
        std::vector<TreeRow>{{0, "(root)", 0, 111}, {1, "f", 101, 101}, {1, "f", 10, 10}});
  CHECK(make_tree(profile, StackTree::inverted) ==
        std::vector<TreeRow>{{0, "(root)", 0, 111}, {1, "f", 101, 101}, {1, "f", 10, 10}});
}

TEST_CASE("the total that was allocated is counted, even where nothing is alive", "[analyze]") {
  AllocationProfile profile =
      make_profile({{0, "main"}, {1, "f"}, {1, "g"}, {0, "h"}}, {{2, "A", "malloc", 10, 1}});
  profile.allocated_size = {0, 0, 30, 500, 0};
  profile.allocated_count = {0, 0, 3, 5, 0};
  const auto rows = analyze::count_allocations(profile, AllocationsOf::frames, TopBy::size);
  REQUIRE(rows.size() == 4);  // h never allocated anything
  CHECK(rows[0].name == "f");
  CHECK(rows[0].allocated_size == 30);
  CHECK(rows[2].name == "g");
  CHECK(rows[2].allocated_count == 5);
  for (const StackTree direction : {StackTree::from_root, StackTree::inverted}) {
    const auto tree = analyze::find_largest_calls(profile, direction, 0, {});
    REQUIRE(tree);
    std::uint64_t size = 0;
    for (const StackRow& row : *tree) size += row.allocated_size;
    CHECK(size == 530);
  }
}

TEST_CASE("allocations are counted by type and by allocator", "[analyze]") {
  CHECK(count(AllocationsOf::types) == std::vector<Row>{{"B", 9, 11000, 11000}, {"A", 6, 111, 111}});
  CHECK(count(AllocationsOf::allocators) ==
        std::vector<Row>{{"malloc", 11, 10111, 10111}, {"blink", 4, 1000, 1000}});
  CHECK(analyze::count_all(make_sample()).size == 11111);
}

TEST_CASE("a profile without memory has no rows", "[analyze]") {
  const AllocationProfile empty = make_profile({{0, "main"}}, {});
  CHECK(analyze::count_allocations(empty, AllocationsOf::frames, TopBy::size).empty());
  CHECK(make_tree(empty, StackTree::from_root) == std::vector<TreeRow>{{0, "(root)", 0, 0}});
  CHECK(make_tree(empty, StackTree::inverted) == std::vector<TreeRow>{{0, "(root)", 0, 0}});
}

TEST_CASE("a tree from the root has callees below their callers, the largest first", "[analyze]") {
  CHECK(make_tree(make_sample(), StackTree::from_root) == std::vector<TreeRow>{{0, "(root)", 1, 11111},
                                                                               {1, "main", 0, 11110},
                                                                               {2, "g", 10000, 10000},
                                                                               {2, "f", 10, 1110},
                                                                               {3, "g", 0, 1100},
                                                                               {4, "f", 1100, 1100}});
}

TEST_CASE("an inverted tree has callers below what they called", "[analyze]") {
  CHECK(make_tree(make_sample(), StackTree::inverted) == std::vector<TreeRow>{{0, "(root)", 1, 11111},
                                                                              {1, "g", 0, 10000},
                                                                              {2, "main", 10000, 10000},
                                                                              {1, "f", 0, 1110},
                                                                              {2, "g", 0, 1100},
                                                                              {3, "f", 0, 1100},
                                                                              {4, "main", 1100, 1100},
                                                                              {2, "main", 10, 10}});
}

TEST_CASE("calls of the same frame at the same place share a row", "[analyze]") {
  const AllocationProfile profile =
      make_profile({{0, "f"}, {0, "f"}, {1, "g"}, {2, "g"}}, {{3, "", "", 1, 1}, {4, "", "", 2, 1}});
  CHECK(make_tree(profile, StackTree::from_root) ==
        std::vector<TreeRow>{{0, "(root)", 0, 3}, {1, "f", 0, 3}, {2, "g", 3, 3}});
}

TEST_CASE("a limit keeps the largest rows of a tree and those above them", "[analyze]") {
  CHECK(make_tree(make_sample(), StackTree::from_root, 3) ==
        std::vector<TreeRow>{{0, "(root)", 1, 11111}, {1, "main", 0, 11110}, {2, "g", 10000, 10000}});
  CHECK(make_tree(make_sample(), StackTree::inverted, 2).size() == 2);
}

TEST_CASE("equal rows of a tree are in the order of their names", "[analyze]") {
  const AllocationProfile profile =
      make_profile({{0, "b"}, {0, "a"}}, {{1, "", "", 5, 1}, {2, "", "", 5, 1}});
  CHECK(make_tree(profile, StackTree::from_root)[1] == TreeRow{1, "a", 5, 5});
  CHECK(make_tree(profile, StackTree::inverted)[1] == TreeRow{1, "a", 5, 5});
}

TEST_CASE("the rows of a tree are counted without being made", "[analyze]") {
  for (const StackTree direction : {StackTree::from_root, StackTree::inverted}) {
    for (const AllocationProfile& profile : {make_sample(), make_recursion(300)}) {
      const auto counted = analyze::count_calls(profile, direction);
      CHECK(counted.rows == make_tree(profile, direction).size());
      CHECK(counted.is_complete);
    }
  }
  const auto deep = analyze::count_calls(make_recursion(200'000), StackTree::inverted);
  CHECK_FALSE(deep.is_complete);
  CHECK(deep.rows > 20);
}

TEST_CASE("a deep recursion neither overflows the stack nor counts twice", "[analyze]") {
  const AllocationProfile deep = make_recursion(200'000);
  const auto rows = analyze::count_allocations(deep, AllocationsOf::frames, TopBy::size);
  CHECK(rows.front().retained == 200'000);
  CHECK(make_tree(deep, StackTree::from_root).size() == 200'001);
  const auto inverted = analyze::find_largest_calls(deep, StackTree::inverted, 0, {});
  REQUIRE(!inverted);
  CHECK(inverted.error().kind == ErrorKind::limit);
  CHECK(make_tree(deep, StackTree::inverted, 20).size() == 20);
}

TEST_CASE("a tree that needs too much memory reaches a limit", "[analyze]") {
  const auto found = analyze::find_largest_calls(make_sample(), StackTree::from_root, 0, {.max_memory = 100});
  REQUIRE(!found);
  CHECK(found.error().kind == ErrorKind::limit);
}

TEST_CASE("sums that need more than 64 bits are the largest number", "[analyze]") {
  const AllocationProfile profile = make_profile({{0, "f"}}, {{0, "", "", UINT64_MAX, 1}, {1, "", "", 2, 1}});
  CHECK(analyze::count_all(profile).size == UINT64_MAX);
  CHECK(make_tree(profile, StackTree::from_root).front() == TreeRow{0, "(root)", UINT64_MAX, UINT64_MAX});
}
