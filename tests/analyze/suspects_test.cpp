#include "analyze/suspects.hpp"

#include "analyze/dominators.hpp"
#include "analyze/totals.hpp"
#include "heapcheck/heap.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/v8_graphs.hpp"

using namespace heapcheck;

namespace {

/// Makes graphs node by node. Node 0 is the root, and each node is held by an earlier node.
class Maker {
 public:
  Maker() {
    graph_.node_kinds = {{.name = "root", .group = NodeGroup::root},
                         {.name = "object", .group = NodeGroup::object},
                         {.name = "string", .group = NodeGroup::string, .type_name = "(string)"},
                         {.name = "inter-generational roots", .group = NodeGroup::root},
                         {.name = "cut", .group = NodeGroup::string, .has_contents = false}};
    graph_.edge_kinds = {{.name = "edge"}};
    graph_.texts.add("");
    add_row(0, "root", 0);
  }

  std::uint32_t add(std::uint32_t holder, std::string_view name, std::uint64_t size, std::uint8_t kind = 1) {
    add_row(kind, name, size);
    edges_.emplace_back(holder, graph_.node_count() - 1);
    return graph_.node_count() - 1;
  }
  void hold(std::uint32_t holder, std::uint32_t node) { edges_.emplace_back(holder, node); }

  /// If `first_id` is 0, the graph has no ids.
  Heap make(std::uint64_t first_id = 0) {
    tests::shift_ids(graph_, first_id);
    for (std::uint32_t node = 0; node < graph_.node_count(); ++node) {
      graph_.first_edge.push_back(graph_.edge_target.size());
      for (const auto& [from, to] : edges_) {
        if (from == node) graph_.edge_target.push_back(to);
      }
    }
    graph_.first_edge.push_back(graph_.edge_target.size());
    graph_.edge_kind.resize(graph_.edge_target.size());
    graph_.edge_name.resize(graph_.edge_target.size());
    return Heap(std::move(graph_));
  }

 private:
  void add_row(std::uint8_t kind, std::string_view name, std::uint64_t size) {
    graph_.node_kind.push_back(kind);
    graph_.node_name.push_back(graph_.texts.add(name));
    graph_.node_size.push_back(size);
    graph_.node_id.push_back(graph_.node_id.size());
  }

  Graph graph_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
};

}  // namespace

TEST_CASE("many nodes of a type in one collection are a suspect with their holder", "[analyze]") {
  Maker maker;
  const std::uint32_t app = maker.add(0, "App", 10);
  maker.add(app, "Other", 50);
  const std::uint32_t cache = maker.add(app, "Cache", 10);
  for (int i = 0; i < 20; ++i) maker.add(cache, "Entry", 40 + (i == 7 ? 1 : 0));
  const std::vector<Suspect> found = maker.make().suspects();
  REQUIRE(found.size() == 1);
  CHECK(found[0].type == "Entry");
  CHECK(found[0].nodes.size() == 20);
  CHECK(found[0].nodes[0] == cache + 8);  // the largest
  CHECK(found[0].holder == cache);
  CHECK(found[0].retained == 801);
  CHECK(found[0].share == 801.0 / 871);
  REQUIRE(found[0].path.size() == 3);
  CHECK(found[0].path.back().node == cache);
}

TEST_CASE("the path to a suspect avoids the runtime's own roots", "[analyze]") {
  Maker maker;
  const std::uint32_t collector = maker.add(0, "collector", 0, 3);
  const std::uint32_t app = maker.add(0, "App", 10);
  const std::uint32_t cache = maker.add(app, "Cache", 10);
  maker.hold(collector, cache);
  const std::uint32_t buffer = maker.add(cache, "Buffer", 500);
  const std::vector<Suspect> found = maker.make().suspects();
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].path.size() == 4);
  CHECK(found[0].path[1].node == app);
  CHECK(found[0].path[3].node == buffer);
}

TEST_CASE("one node with much of its own is a suspect at the end of its path", "[analyze]") {
  Maker maker;
  const std::uint32_t app = maker.add(0, "App", 10);
  const std::uint32_t buffer = maker.add(app, "Buffer", 500);
  maker.add(0, "Other", 60);
  const std::vector<Suspect> found = maker.make().suspects();
  REQUIRE(found.size() == 1);
  CHECK(found[0].nodes == std::vector{buffer});
  CHECK(!found[0].holder);
  CHECK(found[0].chain == 0);
}

TEST_CASE("the suspect of a long list is its first node", "[analyze]") {
  Maker maker;
  const std::uint32_t list = maker.add(0, "List", 10);
  std::uint32_t last = list;
  for (int i = 0; i < 1000; ++i) last = maker.add(last, "Item", 10);
  const std::vector<Suspect> found = maker.make().suspects();
  REQUIRE(found.size() == 1);
  CHECK(found[0].nodes == std::vector{list + 1});
  CHECK(found[0].type == "Item");
  CHECK(found[0].chain == 1000);
}

TEST_CASE("two large parts are two suspects, the larger one first", "[analyze]") {
  Maker maker;
  const std::uint32_t small = maker.add(0, "A", 400);
  const std::uint32_t large = maker.add(0, "B", 600);
  const std::vector<Suspect> found = maker.make().suspects();
  REQUIRE(found.size() == 2);
  CHECK(found[0].nodes == std::vector{large});
  CHECK(found[1].nodes == std::vector{small});
}

TEST_CASE("nodes of a type without a single holder are a suspect with what their paths share", "[analyze]") {
  Maker maker;
  const std::uint32_t a = maker.add(0, "A", 1);
  const std::uint32_t b = maker.add(0, "B", 1);
  for (int i = 0; i < 300; ++i) maker.hold(b, maker.add(a, "Shared", 10));
  const std::vector<Suspect> found = maker.make().suspects();
  REQUIRE(found.size() == 1);
  CHECK(!found[0].holder);
  CHECK(found[0].nodes.size() == 300);
  REQUIRE(found[0].path.size() == 2);
  CHECK(found[0].path.back().node == a);
}

TEST_CASE("nothing is a suspect if nothing is large", "[analyze]") {
  Maker maker;
  for (const char* name : {"A", "B", "C", "D", "E", "F"}) maker.add(0, name, 10);
  const Heap heap = maker.make();
  CHECK(heap.suspects().empty());
  CHECK(heap.suspects({.least_share = 0.1}).size() == 6);
}

TEST_CASE("what grew is recognised by ids if two graphs share them", "[analyze]") {
  const auto make = [](std::uint32_t old, std::uint32_t fresh, std::uint64_t first_id) {
    Maker maker;
    const std::uint32_t app = maker.add(0, "App", 10);
    maker.add(app, "Old", 5000);
    const std::uint32_t cache = maker.add(app, "Cache", 10);
    for (std::uint32_t i = 0; i < old + fresh; ++i) maker.add(cache, "Entry", 40);
    return maker.make(first_id);
  };
  const Heap first = make(10, 0, 1);
  const Heap last = make(10, 30, 1);
  const Growth growth = last.growth_since(first);
  CHECK(growth.by == GrowthBy::id);
  CHECK(growth.size == 1200);
  REQUIRE(growth.suspects.size() == 1);
  CHECK(growth.suspects[0].nodes.size() == 30);
  CHECK(growth.suspects[0].nodes[0] == 14);
  CHECK(growth.suspects[0].share == 1);
  const std::vector<Heap> between{make(10, 20, 1)};
  CHECK(last.growth_since(first, between).size == 800);
  Graph reused = make(10, 20, 1).graph();
  reused.node_name[14] = reused.texts.add("Dead");  // V8 gave its id to another node later
  const std::vector<Heap> with_reused{Heap(std::move(reused))};
  CHECK(last.growth_since(first, with_reused).size == 760);
  CHECK(last.growth_since(last).suspects.empty());

  const Growth by_type = make(10, 30, 0).growth_since(make(10, 0, 0));
  CHECK(by_type.by == GrowthBy::type);
  CHECK(by_type.size == 1200);
  REQUIRE(by_type.suspects.size() == 1);
  CHECK(by_type.suspects[0].nodes.size() == 40);
  CHECK(by_type.suspects[0].holder == 3);
}

TEST_CASE("nodes of different kinds are not of one type", "[analyze]") {
  Maker maker;
  const std::uint32_t holder = maker.add(0, "Array", 10);
  for (int i = 0; i < 50; ++i) maker.add(holder, "(string)", 10);  // objects with that name
  for (int i = 0; i < 50; ++i) maker.add(holder, "text", 10, 2);   // strings, of type (string)
  const auto found = maker.make().suspects({.least_share = 0.3});
  REQUIRE(found.size() == 2);
  CHECK(found[0].nodes.size() == 50);
  CHECK(found[1].nodes.size() == 50);
}

TEST_CASE("placeholders for contents are no duplicates", "[analyze]") {
  Maker maker;
  for (int i = 0; i < 3; ++i) maker.add(0, "(cut)", 10, 4);
  CHECK(maker.make().duplicates()->empty());
}

TEST_CASE("strings are duplicates if their contents are equal", "[analyze]") {
  Maker maker;
  for (int i = 0; i < 3; ++i) maker.add(0, "a", 16, 2);
  maker.add(0, "a", 24, 2);
  maker.add(0, "a", 16);  // an object of that name
  for (int i = 0; i < 2; ++i) maker.add(0, "b", 100, 2);
  const auto found = maker.make().duplicates();
  REQUIRE(found);
  REQUIRE(found->size() == 2);
  CHECK((*found)[0].text == "b");
  CHECK((*found)[0].wasted == 100);
  CHECK((*found)[1].count == 4);
  CHECK((*found)[1].size == 72);
  CHECK((*found)[1].wasted == 54);
}

TEST_CASE("the dominator tree shows its largest places, by node or by type", "[analyze]") {
  Maker maker;
  const std::uint32_t app = maker.add(0, "App", 10);
  for (int i = 0; i < 3; ++i) maker.add(app, "Entry", 20);
  const std::uint32_t big = maker.add(0, "Big", 50);
  const Heap heap = maker.make();
  const auto nodes = heap.dominator_tree(0, false, 2);
  REQUIRE(nodes.size() == 3);
  CHECK(nodes[0].retained == 120);
  CHECK(nodes[1].node == app);
  CHECK(nodes[2].node == big);
  const auto types = heap.dominator_tree(0, true, 2);
  REQUIRE(types.size() == 3);
  CHECK(types[1].name == "App");
  CHECK(types[2].name == "Entry");
  CHECK(types[2].depth == 2);
  CHECK(types[2].count == 3);
  CHECK(types[2].retained == 60);
  CHECK(heap.dominator_tree(app, false, 0).size() == 4);
}

TEST_CASE("a limit keeps the largest of the nodes next to each other, in their order", "[analyze]") {
  Maker maker;
  std::vector<std::uint32_t> nodes;
  for (const std::uint64_t size : {5U, 40U, 20U, 40U, 30U}) nodes.push_back(maker.add(0, "Entry", size));
  const std::uint32_t below = maker.add(nodes[4], "Below", 35);  // so that this one is the largest
  const Heap heap = maker.make();
  std::vector<std::uint32_t> shown;
  for (const DominatorRow& row : heap.dominator_tree(0, false, 4)) shown.push_back(row.node);
  CHECK(shown == std::vector<std::uint32_t>{0, nodes[4], below, nodes[1], nodes[3]});
}

TEST_CASE("nodes of one type share a row, in whatever order they are", "[analyze]") {
  Maker maker;
  const std::uint32_t app = maker.add(0, "App", 10);
  for (int i = 0; i < 3; ++i) {
    maker.add(app, "Entry", 20);
    maker.add(app, "Index", 5);
  }
  const auto types = maker.make().dominator_tree(0, true, 0);
  REQUIRE(types.size() == 4);
  CHECK(types[2].name == "Entry");
  CHECK(types[2].count == 3);
  CHECK(types[2].retained == 60);
  CHECK(types[3].name == "Index");
  CHECK(types[3].count == 3);
}

TEST_CASE("a long list does not take all places of an outline", "[analyze]") {
  Maker maker;
  std::uint32_t node = 0;
  for (int i = 0; i < 1000; ++i) node = maker.add(node, "Node", 10);
  maker.add(0, "Cache", 2000);
  const Heap heap = maker.make();
  const auto count_caches = [](const std::vector<DominatorRow>& rows) {
    return std::ranges::count(rows, std::string("Cache"), &DominatorRow::name);
  };
  CHECK(count_caches(heap.dominator_tree(0, true, 100)) == 0);
  CHECK(count_caches(heap.outline(100)) == 1);
  CHECK(heap.outline(100).size() == 101);
}

TEST_CASE("nodes of a row that dominate one another are not counted twice", "[analyze]") {
  Maker maker;
  const std::uint32_t outer = maker.add(0, "A", 10);
  const std::uint32_t inner = maker.add(outer, "B", 20);
  const std::uint32_t innermost = maker.add(inner, "A", 30);
  maker.add(0, "A", 5);
  const Heap heap = maker.make();
  const auto rows = heap.top(TopOf::objects, TopBy::retained);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].name == "A");
  CHECK(rows[0].size == 45);
  CHECK(rows[0].retained == 65);
  CHECK(rows[1].retained == 50);
  CHECK(heap.dominator_of(inner) == outer);
  CHECK(std::ranges::count(heap.dominated_by(outer), inner) == 1);
  CHECK(std::ranges::count(heap.dominated_by(outer), innermost) == 0);
  CHECK(heap.dominated_by(innermost).empty());
  CHECK(!heap.dominator_of(0));
}

TEST_CASE("nodes that nothing leads to are unreachable", "[analyze]") {
  Maker maker;
  const std::uint32_t a = maker.add(0, "A", 1);
  const std::uint32_t lost = maker.add(a + 1, "Loop", 1);  // leads to itself
  const Heap heap = maker.make();
  CHECK(heap.find_unreachable() == std::vector{lost});
  CHECK(heap.retained_sizes()[lost] == 0);
  CHECK(heap.find_unreachable() == std::vector{lost});  // now that the retained sizes are known
}
