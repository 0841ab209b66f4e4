#include "validate/mvmheap/graph_facts.hpp"

#include <algorithm>
#include <random>

#include "tests/support/catch.hpp"
#include "validate/mvmheap/writer_rules.hpp"

using namespace heapcheck;
using namespace heapcheck::validation::mvmheap;

namespace {

constexpr std::uint64_t other_name = 0 << 2 | 2;
constexpr std::uint64_t stable_reference = 1 << 2 | 2;
constexpr auto object = static_cast<std::uint64_t>(model::CollectableKind::object);
constexpr auto stable = static_cast<std::uint64_t>(model::CollectableKind::stable);
constexpr auto root = static_cast<std::uint64_t>(model::CollectableKind::root);

struct Edge {
  std::uint64_t description;
  std::uint64_t target;
};

void add(model::Snapshot& snapshot, std::uint64_t kind, std::uint64_t type, const std::vector<Edge>& edges) {
  model::Collectables& nodes = snapshot.collectables;
  nodes.kind.push_back(kind);
  nodes.type_or_frame_index.push_back(type);
  nodes.size.push_back(kind == root ? 0 : 24);
  nodes.unmanaged_size.push_back(0);
  nodes.refs_start.push_back(edges.empty() ? 0 : snapshot.references.count());
  nodes.num_refs.push_back(edges.size());
  for (const Edge& edge : edges) {
    snapshot.references.description.push_back(edge.description);
    snapshot.references.target.push_back(edge.target);
  }
}

/// A root, two objects of different types, and their STables. The first object has another reference before
/// the one to its STable, like objects from precompiled code.
model::Snapshot make_snapshot() {
  model::Snapshot snapshot;
  add(snapshot, root, 0, {{other_name, 1}, {other_name, 2}});
  add(snapshot, object, 0, {{other_name, 2}, {stable_reference, 3}});
  add(snapshot, object, 1, {{stable_reference, 4}});
  add(snapshot, stable, 0, {});
  add(snapshot, stable, 1, {});
  return snapshot;
}

GraphFacts facts_of(const model::Snapshot& snapshot) {
  return find_facts(snapshot, {}, model::Shares::none).graph;
}

void set(model::Column<std::uint32_t>& column, std::uint64_t index, std::uint64_t value) {
  std::vector<std::uint64_t> values;
  for (std::uint64_t i = 0; i < column.count(); ++i) values.push_back(i == index ? value : column[i]);
  column.clear();
  column.append(std::span<const std::uint64_t>(values));
}

bool has_wrong_stable(const model::Snapshot& snapshot, const GraphFacts& facts) {
  const model::Summary summary;
  const SnapshotView view{
      0, snapshot, summary, {}, [](Field, std::uint64_t) { return Location{{}, {}, ""}; }, facts};
  return find_wrong_stable(view, 1).has_value();
}

}  // namespace

TEST_CASE("all facts of a sound snapshot are proved", "[graph-facts]") {
  const SnapshotFacts facts = find_facts(make_snapshot(), {}, model::Shares::none);
  CHECK(facts.graph.ranges_are_inside);
  CHECK(facts.graph.ranges_are_partition);
  CHECK(facts.graph.targets_are_inside);
  CHECK(facts.graph.all_are_reachable);
  CHECK(facts.graph.stable_name == 1);
  CHECK(facts.summary.byte_count == 4 * 24);
  CHECK(facts.graph.have_childless_no_start);
}

TEST_CASE("nothing is proved of values that are outside their table or too wide", "[graph-facts]") {
  const std::uint64_t wrong = GENERATE(std::uint64_t{5}, std::uint64_t{UINT32_MAX}, std::uint64_t{1} << 40);
  model::Snapshot snapshot = make_snapshot();
  SECTION("a start") {
    set(snapshot.collectables.refs_start, 1, wrong);
    CHECK_FALSE(facts_of(snapshot).ranges_are_inside);
    CHECK_FALSE(facts_of(snapshot).ranges_are_partition);
    CHECK_FALSE(facts_of(snapshot).stable_name);
  }
  SECTION("a count") {
    set(snapshot.collectables.num_refs, 2, wrong);
    CHECK_FALSE(facts_of(snapshot).ranges_are_inside);
    CHECK_FALSE(facts_of(snapshot).ranges_are_partition);
  }
  SECTION("a target") {
    set(snapshot.references.target, 3, wrong);
    CHECK_FALSE(facts_of(snapshot).targets_are_inside);
    CHECK_FALSE(facts_of(snapshot).all_are_reachable);
    CHECK_FALSE(facts_of(snapshot).stable_name);
  }
}

TEST_CASE("a collectable that only refers to itself is not reachable", "[graph-facts]") {
  model::Snapshot snapshot;
  add(snapshot, root, 0, {{other_name, 1}});
  add(snapshot, object, 0, {});
  add(snapshot, object, 0, {{other_name, 2}});
  CHECK_FALSE(facts_of(snapshot).all_are_reachable);
  set(snapshot.references.target, 1, 1);
  CHECK_FALSE(facts_of(snapshot).all_are_reachable);
  set(snapshot.references.target, 0, 2);
  // 2 refers to 1, so that all are reachable, but they are not numbered in this order.
  CHECK_FALSE(facts_of(snapshot).all_are_reachable);
}

TEST_CASE("the proof that collectables are reachable agrees with a search", "[graph-facts]") {
  std::mt19937_64 random(20261128);
  std::uint64_t proofs = 0;
  std::uint64_t contradictions = 0;
  for (int round = 0; round < 20'000; ++round) {
    constexpr std::uint64_t rows = 5;
    model::Snapshot snapshot;
    for (std::uint64_t row = 0; row < rows; ++row) {
      std::vector<Edge> edges(random() % 3 + (row == 0 ? 1 : 0), {other_name, 0});
      for (Edge& edge : edges) edge.target = 1 + random() % (rows - 1);
      add(snapshot, row == 0 ? root : object, 0, edges);
    }
    if (!facts_of(snapshot).all_are_reachable) continue;
    ++proofs;
    std::vector<std::uint64_t> reached{0};
    for (std::size_t at = 0; at < reached.size(); ++at) {
      const std::uint64_t start = snapshot.collectables.refs_start[reached[at]];
      for (std::uint64_t i = 0; i < snapshot.collectables.num_refs[reached[at]]; ++i) {
        const std::uint64_t target = snapshot.references.target[start + i];
        if (std::ranges::find(reached, target) == reached.end()) reached.push_back(target);
      }
    }
    contradictions += reached.size() == rows ? 0 : 1;
  }
  CHECK(proofs > 100);
  CHECK(contradictions == 0);
}

TEST_CASE("the proof for STables agrees with the search", "[graph-facts]") {
  std::mt19937_64 random(20261125);
  std::uint64_t proofs = 0;
  std::uint64_t contradictions = 0;
  for (int round = 0; round < 2000; ++round) {
    model::Snapshot snapshot = make_snapshot();
    const auto reference = random() % snapshot.references.count();
    const auto node = random() % snapshot.collectables.count();
    if (random() % 2 != 0) set(snapshot.references.target, reference, random() % 5);
    if (random() % 2 != 0)
      set(snapshot.references.description, reference, random() % 2 != 0 ? other_name : stable_reference);
    if (random() % 2 != 0) set(snapshot.collectables.type_or_frame_index, node, random() % 2);
    const GraphFacts facts = facts_of(snapshot);
    proofs += facts.stable_name == 1 ? 1 : 0;
    contradictions += facts.stable_name == 1 && has_wrong_stable(snapshot, {}) ? 1 : 0;
  }
  CHECK(proofs > 100);
  CHECK(contradictions == 0);
}

TEST_CASE("nothing is proved about STables if objects share a reference", "[graph-facts]") {
  model::Snapshot snapshot;
  add(snapshot, root, 0, {{other_name, 1}, {other_name, 2}});
  add(snapshot, object, 0, {{stable_reference, 3}});
  add(snapshot, object, 0, {{other_name, 1}});
  add(snapshot, stable, 0, {{stable_reference, 3}});
  set(snapshot.collectables.refs_start, 2, snapshot.collectables.refs_start[1]);
  CHECK_FALSE(facts_of(snapshot).stable_name);
  CHECK(has_wrong_stable(snapshot, facts_of(snapshot)));
}

TEST_CASE("the name of references to STables is searched in as many references as there are",
          "[graph-facts]") {
  model::Snapshot snapshot;
  for (int i = 0; i < 4; ++i) add(snapshot, object, 0, {{other_name, 0}, {other_name, 0}});
  add(snapshot, object, 0, {{stable_reference, 5}});
  add(snapshot, stable, 0, {});
  CHECK(guess_stable_name(snapshot) == 1);
  for (std::uint64_t i = 0; i < 4; ++i) set(snapshot.collectables.num_refs, i, 8 - 2 * i);
  CHECK_FALSE(guess_stable_name(snapshot));
}
