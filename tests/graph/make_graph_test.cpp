#include <algorithm>
#include <functional>

#include "tests/support/graphs.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

/// `kind name size id`, followed by `kind name>target` for each edge.
std::string describe(const Node& node) {
  std::string text(node.kind().name);
  text +=
      " " + std::string(node.name()) + " " + std::to_string(node.size()) + " " + std::to_string(node.id());
  for (const Edge edge : node.edges()) {
    text += ", " + edge.kind().name + " ";
    text += edge.kind().has_index ? std::to_string(edge.number()) : std::string(edge.name());
    text += ">" + std::to_string(edge.target());
  }
  return text;
}

void set(mvmheap::Column<std::uint32_t>& column, const std::vector<std::uint64_t>& values) {
  column.clear();
  for (const std::uint64_t value : values) column.push_back(value);
}

/// A root, an object and a frame. The object's references come first.
Model make_model() {
  Model model;
  for (const char* text : {"P6opaque", "Foo", "main", "$!name"}) model.tables.strings.add(text);
  model.tables.types.repr_name.push_back(0);
  model.tables.types.type_name.push_back(1);
  for (auto* column : {&model.tables.static_frames.name, &model.tables.static_frames.cuid,
                       &model.tables.static_frames.line, &model.tables.static_frames.file})
    column->push_back(2);
  mvmheap::Snapshot& snapshot = model.snapshots.emplace_back();
  for (const std::uint64_t kind : {9U, 1U, 4U}) snapshot.collectables.kind.push_back(kind);
  for (const std::uint64_t size : {0U, 24U, 8U}) snapshot.collectables.size.push_back(size);
  set(snapshot.collectables.type_or_frame_index, {0, 0, 0});
  set(snapshot.collectables.unmanaged_size, {0, 100, 0});
  set(snapshot.collectables.refs_start, {1, 0, 7});
  set(snapshot.collectables.num_refs, {2, 1, 0});
  set(snapshot.references.description, {3 << 2 | 2, 5 << 2 | 1, 0});
  set(snapshot.references.target, {2, 1, 0});
  return model;
}

/// Nodes of two types, `weak` and `element` edges, and a name with an escape.
const std::string nodes = "1,1,1,0,2, 0,2,3,16,1, 0,3,5,8,0";
const std::string edges = "1,7,5, 2,3,10, 0,2,0";
const std::string strings = R"("<dummy>","root","caf\u00e9","b")";

std::string make_text(std::string_view of_nodes = nodes, std::string_view of_edges = edges) {
  std::string text = make_snapshot(std::string(of_nodes), std::string(of_edges), strings);
  const std::string_view types = R"("context","element")";
  return text.replace(text.find(types), types.size(), R"("context","element","weak")");
}

Result<Graph> make_v8_graph(const std::string& text, const Limits& limits = {}) {
  return graph::make_graph(read_snapshot(text).snapshot, limits);
}

}  // namespace

TEST_CASE("a MoarVM snapshot becomes a graph", "[graph][mvmheap]") {
  const auto graph = make_last_graph(make_model());
  REQUIRE(graph);
  CHECK(describe(graph->node(0)) == "root root 0 0, index 5>1, unknown >0");
  CHECK(describe(graph->node(1)) == "object Foo 124 1, name $!name>2");
  CHECK(describe(graph->node(2)) == "frame main 8 2");
}

TEST_CASE("an unsound MoarVM snapshot is refused", "[graph][mvmheap]") {
  using Break = std::function<void(Model&, mvmheap::Snapshot&)>;
  const auto breaks = std::to_array<Break>({
      [](Model&, mvmheap::Snapshot& s) { s.collectables.size.push_back(0); },
      [](Model&, mvmheap::Snapshot& s) { s.clear(); },
      [](Model&, mvmheap::Snapshot& s) { set(s.references.target, {2, 3, 0}); },
      [](Model&, mvmheap::Snapshot& s) { set(s.references.description, {4 << 2 | 2, 0, 0}); },
      [](Model&, mvmheap::Snapshot& s) { set(s.references.description, {3, 0, 0}); },
      [](Model&, mvmheap::Snapshot& s) { set(s.collectables.refs_start, {2, 0, 0}); },
      [](Model&, mvmheap::Snapshot& s) { set(s.collectables.refs_start, {0, 0, 0}); },
      [](Model&, mvmheap::Snapshot& s) { set(s.collectables.refs_start, {UINT64_MAX, 0, 0}); },
      [](Model&, mvmheap::Snapshot& s) { set(s.collectables.num_refs, {1, 1, 0}); },
      [](Model&, mvmheap::Snapshot& s) { set(s.collectables.type_or_frame_index, {0, 1, 0}); },
      [](Model&, mvmheap::Snapshot& s) { set(s.collectables.type_or_frame_index, {0, 0, 1}); },
      [](Model& m, mvmheap::Snapshot&) { set(m.tables.types.type_name, {4}); },
      [](Model&, mvmheap::Snapshot& s) {
        s.collectables.kind.clear();
        for (const std::uint64_t kind : {9U, 12U, 4U}) s.collectables.kind.push_back(kind);
      },
  });
  for (std::size_t i = 0; i < breaks.size(); ++i) {
    Model model = make_model();
    breaks[i](model, model.snapshots[0]);
    INFO(i);
    const auto graph = make_last_graph(model);
    REQUIRE_FALSE(graph);
    CHECK(graph.error().kind == ErrorKind::unreadable);
    CHECK_FALSE(graph.error().message.empty());
  }
}

TEST_CASE("a MoarVM snapshot may have sizes of more than 32 bits, but no wide indices", "[graph][mvmheap]") {
  using Column = mvmheap::Column<std::uint32_t>;
  const std::uint64_t wide = GENERATE(std::uint64_t{1} << 32U, (std::uint64_t{1} << 42U) + 1,
                                      (std::uint64_t{1} << 63U) + 2, UINT64_MAX);
  const auto is_held = [wide](const auto& column_of) {
    Model model = make_model();
    Column& column = column_of(model.snapshots.back());
    std::vector<std::uint64_t> values;
    for (std::uint64_t i = 0; i < column.count(); ++i) values.push_back(i == 1 ? wide : column[i]);
    set(column, values);
    return make_last_graph(model).has_value();
  };
  CHECK(is_held([](mvmheap::Snapshot& s) -> Column& { return s.collectables.unmanaged_size; }));
  CHECK_FALSE(is_held([](mvmheap::Snapshot& s) -> Column& { return s.collectables.type_or_frame_index; }));
  CHECK_FALSE(is_held([](mvmheap::Snapshot& s) -> Column& { return s.collectables.refs_start; }));
  CHECK_FALSE(is_held([](mvmheap::Snapshot& s) -> Column& { return s.collectables.num_refs; }));
  CHECK_FALSE(is_held([](mvmheap::Snapshot& s) -> Column& { return s.references.target; }));
}

TEST_CASE("a V8 snapshot becomes a graph", "[graph][v8]") {
  const auto graph = make_v8_graph(make_text());
  REQUIRE(graph);
  CHECK(describe(graph->node(0)) == "synthetic root 0 1, element 7>1, weak b>2");
  CHECK(describe(graph->node(1)) == "hidden caf\xC3\xA9 16 3, context caf\xC3\xA9>0");
  CHECK(describe(graph->node(2)) == "hidden b 8 5");
  CHECK(graph->edge_kinds[2].is_weak);
  CHECK_FALSE(graph->edge_kinds[1].is_weak);
}

TEST_CASE("a graph cannot hold an index of more than 32 bits", "[graph][v8]") {
  const auto graph = make_v8_graph(make_text(nodes, "1,4294967296,5, 2,3,10, 0,2,0"));
  REQUIRE_FALSE(graph);
  CHECK(graph.error().kind == ErrorKind::limit);
}

TEST_CASE("an unsound V8 snapshot is refused", "[graph][v8]") {
  const std::string text = GENERATE(
      make_text("", ""), make_text(nodes, "1,7,5, 2,3,11, 0,2,0"), make_text(nodes, "1,7,5, 2,3,15, 0,2,0"),
      make_text(nodes, "1,7,5, 2,4,10, 0,2,0"), make_text(nodes, "3,7,5, 2,3,10, 0,2,0"),
      make_text(nodes, "1,7,5, 2,3,10"), make_text(nodes, edges + ",0,0,0"), make_text(nodes, edges + ",0"),
      make_text("2,1,1,0,2, 0,2,3,16,1, 0,3,5,8,0"), make_text("1,4,1,0,2, 0,2,3,16,1, 0,3,5,8,0"),
      make_text("1,1,1,0,2, 0,2,3,16,18446744073709551615, 0,3,5,8,2"),
      make_text().substr(0, make_text().size() - 4), std::string("{}"));
  const auto graph = make_v8_graph(text);
  REQUIRE_FALSE(graph);
  CHECK(graph.error().kind == ErrorKind::unreadable);
  CHECK_FALSE(graph.error().message.empty());
}

TEST_CASE("a sampling profile becomes a graph", "[graph][v8]") {
  v8::heapprofile::Profile profile;
  using v8::heapprofile::NodeIndex;
  const NodeIndex top = profile.nodes.add(v8::heapprofile::no_parent);
  const NodeIndex caller = profile.nodes.add(top);
  profile.nodes.add(caller);
  profile.nodes.add(top);
  profile.nodes.function_name[0] = profile.strings.intern("(root)");
  profile.nodes.self_size[2] = 48;
  profile.nodes.id[2] = 77;
  const auto graph = graph::make_graph(profile, Limits{});
  REQUIRE(graph);
  CHECK(describe(graph->node(0)) == "function (root) 0 0, call >1, call >3");
  CHECK(describe(graph->node(1)) == "function  0 1, call >2");
  CHECK(describe(graph->node(2)) == "function  48 77");
  profile.nodes.parent[1] = NodeIndex{2};
  REQUIRE_FALSE(graph::make_graph(profile, Limits{}));
  CHECK_FALSE(graph::make_graph(v8::heapprofile::Profile{}, Limits{}));
}

TEST_CASE("a graph that needs more memory than is allowed is refused", "[graph]") {
  const Limits limits{.max_memory = 100};
  const auto snapshot = make_v8_graph(make_text(), limits);
  REQUIRE_FALSE(snapshot);
  CHECK(snapshot.error().kind == ErrorKind::limit);
  const auto dump = make_last_graph(make_model(), limits);
  REQUIRE_FALSE(dump);
  CHECK(dump.error().kind == ErrorKind::limit);
  CHECK(make_v8_graph(make_text(), Limits{.max_memory = 300}));
}

TEST_CASE("every node and edge of a seed has a kind and a name", "[graph]") {
  for (const Graph& graph : read_seed_graphs()) {
    std::uint64_t bytes = 0;
    for (const Node node : graph.nodes()) {
      for (const Edge edge : node.edges()) bytes += edge.kind().name.size() + edge.name().size();
      bytes += node.kind().name.size() + node.name().size();
    }
    CHECK(bytes != 0);
    CHECK(graph.first_edge.back() == graph.edge_count());
  }
}
