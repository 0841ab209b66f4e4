#include "validate/mvmheap/used_rows.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/mvmheap_models.hpp"

using namespace heapcheck;
using namespace heapcheck::validation::mvmheap;

namespace {

constexpr std::uint64_t integer = 1;
constexpr std::uint64_t string = 2;
constexpr std::uint64_t unknown_kind = 3;

model::Tables make_tables(std::uint64_t strings) {
  model::Tables tables;
  for (std::uint64_t i = 0; i < strings; ++i) tables.strings.add("name " + std::to_string(i));
  return tables;
}

/// A snapshot whose references have these indices and kinds.
model::Snapshot make_snapshot(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& references) {
  model::Snapshot snapshot;
  for (const auto& [index, kind] : references) {
    snapshot.references.description.push_back(index << 2 | kind);
    snapshot.references.target.push_back(0);
  }
  return snapshot;
}

/// The messages about rows of `tables` that the snapshot does not use.
std::vector<std::string> find_unused(const model::Tables& tables, const model::Snapshot& snapshot,
                                     std::span<const Rule* const> violated = {}) {
  UsedRows used(tables);
  used.add_snapshot(snapshot);
  tests::FoundSink found;
  used.check(violated, found);
  std::vector<std::string> messages;
  for (const Finding& finding : found.findings) messages.push_back(finding.message);
  return messages;
}

}  // namespace

TEST_CASE("only references with a name use strings", "[used-rows]") {
  const model::Tables tables = make_tables(4);
  const std::uint64_t wide = GENERATE(std::uint64_t{0}, std::uint64_t{1} << 40);  // stored in 64 bits
  const auto references = [&](std::uint64_t last_kind) {
    return make_snapshot({{wide, integer}, {0, string}, {1, string}, {2, string}, {3, last_kind}});
  };
  CHECK(find_unused(tables, references(string)).empty());
  for (const std::uint64_t kind : {std::uint64_t{0}, integer, unknown_kind}) {
    CHECK(find_unused(tables, references(kind)) ==
          std::vector<std::string>{"found 1 string that nothing refers to, expected none"});
  }
}

TEST_CASE("unused strings are reported unless another mistake may be their cause", "[used-rows]") {
  const model::Tables tables = make_tables(2);
  const model::Snapshot snapshot = make_snapshot({{0, string}});
  const auto count_with = [&](const Rule& rule) {
    const Rule* const violated[] = {&rule};
    return find_unused(tables, snapshot, violated).size();
  };
  CHECK(count_with(validation::mvmheap::rules::collectable_root_fields) == 1);
  CHECK(count_with(validation::mvmheap::rules::refs_target_range) == 1);
  CHECK(count_with(validation::mvmheap::rules::refs_string_range) == 0);
  CHECK(count_with(validation::mvmheap::rules::collectable_unreachable) == 0);
}

TEST_CASE("strings that snapshots use may come after the end of the table", "[used-rows]") {
  const model::Tables tables = make_tables(2);
  const std::uint64_t last = GENERATE(std::uint64_t{2}, std::uint64_t{7}, (std::uint64_t{1} << 28) + 1);
  UsedRows used(tables);
  used.add_snapshot(make_snapshot({{0, string}, {1, string}}));
  CHECK_FALSE(used.lacks_strings());
  used.add_snapshot(make_snapshot({{last, string}}));
  CHECK(used.lacks_strings() == (last == 2));
  CHECK_FALSE(used.has_unused());
}
