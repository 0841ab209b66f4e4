#include "validate/mvmheap/rules.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"

using namespace heapcheck;
using namespace heapcheck::validation::mvmheap;

namespace {

constexpr std::uint64_t places = 4;  // references in a table, few enough to try every combination

class Nowhere final : public core::FindingSink {
 public:
  void report(Finding) override {}
  void skip(Skip) override {}
  void report_more(const Rule&, std::uint64_t) override {}
  [[nodiscard]] std::uint64_t wanted(const Rule&) const override { return 1; }
};

/// Returns whether `check` finds nothing in a snapshot for which `facts` were proved.
template <class Check>
bool is_clean(const model::Snapshot& snapshot, const Check& check, const GraphFacts& facts) {
  const model::Summary summary;
  const SnapshotView view{
      0, snapshot, summary, {}, [](Field, std::uint64_t) { return Location{{}, {}, ""}; }, facts};
  Nowhere nowhere;
  core::Tally tally(nowhere);
  check(view, tally);
  return tally.clean();
}

void set(model::Column<std::uint32_t>& column, const std::vector<std::uint64_t>& values) {
  column.clear();
  for (const std::uint64_t value : values) column.push_back(value);
}

/// Calls `use` with every list of `length` digits below `base`.
template <class Use>
void for_all(std::size_t length, std::uint64_t base, const Use& use) {
  std::vector<std::uint64_t> digits(length);
  for (;;) {
    use(digits);
    const auto place = std::ranges::find_if(digits, [&](std::uint64_t digit) { return digit + 1 < base; });
    if (place == digits.end()) return;
    std::fill(digits.begin(), place, 0);
    ++*place;
  }
}

bool covers_each_once(const std::vector<std::uint64_t>& starts, const std::vector<std::uint64_t>& counts) {
  std::vector<int> owners(places);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    for (std::uint64_t at = starts[i]; at < starts[i] + counts[i]; ++at) ++owners[at];
  }
  return std::ranges::all_of(owners, [](int count) { return count == 1; });
}

bool reaches_all(const std::vector<std::uint64_t>& starts, const std::vector<std::uint64_t>& counts,
                 const std::vector<std::uint64_t>& targets) {
  std::vector<bool> reached(starts.size());
  reached[0] = true;
  for (std::size_t round = 0; round < starts.size(); ++round) {
    for (std::size_t i = 0; i < starts.size(); ++i) {
      if (!reached[i]) continue;
      for (std::uint64_t at = starts[i]; at < starts[i] + counts[i]; ++at) reached[targets[at]] = true;
    }
  }
  return std::ranges::count(reached, true) == static_cast<std::ptrdiff_t>(starts.size());
}

/// A snapshot whose ranges and targets have yet to be set.
model::Snapshot make_snapshot(std::size_t collectables) {
  model::Snapshot snapshot;
  for (std::size_t i = 0; i < collectables; ++i) {
    snapshot.collectables.kind.push_back(1);
    snapshot.collectables.size.push_back(0);
  }
  for (auto* column : {&snapshot.collectables.type_or_frame_index, &snapshot.collectables.unmanaged_size})
    set(*column, std::vector<std::uint64_t>(collectables));
  for (auto* column : {&snapshot.references.description, &snapshot.references.target})
    set(*column, std::vector<std::uint64_t>(places));
  return snapshot;
}

/// The facts that passes over a snapshot prove, or none of them.
GraphFacts find_or_forget(const model::Snapshot& snapshot, bool are_found) {
  return are_found ? find_facts(snapshot, {}, model::Shares::none).graph : GraphFacts{};
}

}  // namespace

TEST_CASE("ranges are accepted if and only if they cover every reference once", "[references]") {
  constexpr std::size_t collectables = 4;
  const bool has_facts = GENERATE(false, true);
  model::Snapshot snapshot = make_snapshot(collectables);
  std::uint64_t differences = 0;
  std::uint64_t partitions = 0;
  for_all(collectables, places + 1, [&](const auto& starts) {
    for_all(collectables, places + 1, [&](const auto& counts) {
      for (std::size_t i = 0; i < collectables; ++i) {
        if (starts[i] + counts[i] > places) return;
      }
      set(snapshot.collectables.refs_start, starts);
      set(snapshot.collectables.num_refs, counts);
      const bool expected = covers_each_once(starts, counts);
      partitions += expected ? 1 : 0;
      differences +=
          is_clean(snapshot, check_partition, find_or_forget(snapshot, has_facts)) == expected ? 0 : 1;
    });
  });
  CHECK(partitions != 0);
  CHECK(differences == 0);
}

TEST_CASE("collectables are accepted if and only if all can be reached from the root", "[references]") {
  constexpr std::size_t collectables = 4;
  const bool has_facts = GENERATE(false, true);
  const std::vector<std::uint64_t> starts =
      GENERATE(std::vector<std::uint64_t>{0, 1, 2, 3}, std::vector<std::uint64_t>{0, 3, 2, 4},
               std::vector<std::uint64_t>{3, 0, 1, 2});
  const std::vector<std::uint64_t> counts =
      starts[3] == 4 ? std::vector<std::uint64_t>{2, 1, 1, 0} : std::vector<std::uint64_t>{1, 1, 1, 1};
  model::Snapshot snapshot = make_snapshot(collectables);
  set(snapshot.collectables.refs_start, starts);
  set(snapshot.collectables.num_refs, counts);
  std::uint64_t differences = 0;
  for_all(places, collectables, [&](const auto& targets) {
    set(snapshot.references.target, targets);
    const bool clean = is_clean(snapshot, check_reachability, find_or_forget(snapshot, has_facts));
    differences += clean == reaches_all(starts, counts, targets) ? 0 : 1;
  });
  CHECK(differences == 0);
}
