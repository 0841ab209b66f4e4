#include "graph/script_places.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "formats/core/keyed_hash.hpp"
#include "graph/follow.hpp"
#include "graph/node_set.hpp"
#include "graph/place_table.hpp"
#include "graph/v8_nodes.hpp"

namespace heapcheck::graph {
namespace {

using v8::heapsnapshot::ChunkedColumn;
using v8::heapsnapshot::for_each_value;
using v8::heapsnapshot::Section;
using v8::heapsnapshot::Snapshot;

/// The names of scripts, as indices into Graph::texts.
class ScriptNames {
 public:
  explicit ScriptNames(const Graph& graph) : graph_(graph) {}

  /// The name of the script that a node represents. Most versions of V8 name the node after the script.
  /// Chrome 156 names it `system / Script / NAME`, so the string to which its edge `name` leads is used
  /// instead.
  [[nodiscard]] std::uint32_t name_of(std::uint32_t script) {
    const auto [known, is_new] = by_script_.try_emplace(script, Graph::no_text);
    if (is_new) known->second = find_name(script);
    return known->second;
  }

  /// The name of the script that contains the code of a closure. Functions that are built into V8 have no
  /// script. Many closures may have the same shared function.
  [[nodiscard]] std::uint32_t script_of(std::uint32_t closure) {
    const auto shared = follow(graph_.node(closure), "shared");
    if (!shared) return Graph::no_text;
    const auto [known, is_new] = by_shared_.try_emplace(*shared, Graph::no_text);
    if (is_new) known->second = find_script(*shared);
    return known->second;
  }

  /// Learns the name of a script from a closure of its code, unless the closure was tried before.
  void learn_from(std::uint64_t script_id, std::uint32_t closure) {
    if (tried_.insert(closure).second) learn(script_id, script_of(closure));
  }

  void learn(std::uint64_t script_id, std::uint32_t name) {
    if (name != Graph::no_text) by_id_.try_emplace(script_id, name);
  }
  [[nodiscard]] bool knows(std::uint64_t script_id) const { return by_id_.contains(script_id); }
  [[nodiscard]] std::uint32_t find(std::uint64_t script_id) const {
    const auto name = by_id_.find(script_id);
    return name == by_id_.end() ? Graph::no_text : name->second;
  }

 private:
  [[nodiscard]] std::uint32_t find_name(std::uint32_t script) const {
    if (const auto inner = follow(graph_.node(script), "script")) script = *inner;
    const Node node = graph_.node(script);
    const bool has_own_name = node.kind().name == "code" && !node.name().starts_with("system /");
    if (has_own_name && !node.name().empty()) return graph_.node_name[script];
    const auto name = follow(graph_.node(script), "name");
    if (!name) return Graph::no_text;
    const GraphKind& kind = graph_.node(*name).kind();
    const bool is_text = kind.group == NodeGroup::string && kind.has_contents;
    return is_text && !graph_.node(*name).name().empty() ? graph_.node_name[*name] : Graph::no_text;
  }

  /// The edge from the shared function to its script is called `script` (up to Node.js 10 and from Node.js
  /// 22) or `script_or_debug_info` (from Node.js 12 to 20). While a function is being debugged, the latter
  /// leads to an object that has an edge `script` itself.
  [[nodiscard]] std::uint32_t find_script(std::uint32_t shared) {
    auto script = follow(graph_.node(shared), "script");
    if (!script) script = follow(graph_.node(shared), "script_or_debug_info");
    return script ? name_of(*script) : Graph::no_text;
  }

  const Graph& graph_;
  // The results so far, including failures. They are kept because a hostile file may lead to the same node
  // very often.
  std::unordered_map<std::uint64_t, std::uint32_t, core::KeyedHash> by_id_;
  std::unordered_map<std::uint32_t, std::uint32_t, core::KeyedHash> by_script_;
  std::unordered_map<std::uint32_t, std::uint32_t, core::KeyedHash> by_shared_;
  std::unordered_set<std::uint32_t, core::KeyedHash> tried_;  // closures
};

/// The columns of the locations, none of which is null except the last.
struct LocationColumns {
  const ChunkedColumn* object;
  const ChunkedColumn* script;
  const ChunkedColumn* line;
  const ChunkedColumn* column;
  const ChunkedColumn* script_object;  // since Chrome 156
};

std::optional<LocationColumns> find_location_columns(const Snapshot& snapshot) {
  if (!snapshot.is_sound(Section::locations)) return std::nullopt;
  const auto find = [&](std::string_view name) { return snapshot.find_column(Section::locations, name); };
  const LocationColumns columns{find("object_index"), find("script_id"), find("line"), find("column"),
                                find("script_object_index")};
  const bool has_all = columns.object != nullptr && columns.script != nullptr && columns.line != nullptr &&
                       columns.column != nullptr;
  return has_all ? std::optional(columns) : std::nullopt;
}

/// Counts from 1 instead of 0. Larger numbers, which V8 does not write, count as unknown.
std::uint32_t count_from_1(std::uint64_t number) {
  return number < UINT32_MAX ? static_cast<std::uint32_t>(number) + 1U : 0U;
}

class LocationReader {
 public:
  LocationReader(const Snapshot& snapshot, const LocationColumns& columns, Graph& graph)
      : snapshot_(snapshot),
        columns_(columns),
        width_(snapshot.table(Section::nodes).columns.size()),
        graph_(graph),
        scripts_(graph) {}

  void run() {
    if (!has_valid_nodes()) return;
    learn_from_functions();
    for (std::uint64_t row = 0; row < columns_.object->count(); ++row) learn_from(row);
    add_places();
  }

 private:
  [[nodiscard]] std::optional<std::uint32_t> find_node(std::uint64_t position) const {
    if (position % width_ != 0 || position / width_ >= graph_.node_count()) return std::nullopt;
    return static_cast<std::uint32_t>(position / width_);
  }

  /// If one location has a wrong node, as in a file whose writer counted in rows, all others may have wrong
  /// nodes, too.
  [[nodiscard]] bool has_valid_nodes() const {
    bool holds = true;
    for_each_value(*columns_.object,
                   [&](std::uint64_t, std::uint64_t position) { holds = holds && find_node(position); });
    return holds;
  }

  /// The functions of a timeline have both the name and the id of their script.
  void learn_from_functions() {
    if (!snapshot_.is_sound(Section::trace_function_infos)) return;
    const auto* const ids = snapshot_.find_column(Section::trace_function_infos, "script_id");
    const auto* const names = snapshot_.find_column(Section::trace_function_infos, "script_name");
    if (ids == nullptr || names == nullptr) return;
    for (std::uint64_t row = 0; row < ids->count(); ++row) {
      const std::uint64_t name = (*names)[row];
      const bool has_name =
          name < graph_.texts.count() && !graph_.texts[static_cast<std::size_t>(name)].empty();
      if (has_name) scripts_.learn((*ids)[row], static_cast<std::uint32_t>(name));
    }
  }

  void learn_from(std::uint64_t row) {
    const std::uint64_t id = (*columns_.script)[row];
    if (scripts_.knows(id)) return;
    if (columns_.script_object != nullptr) {
      if (const auto script = find_node((*columns_.script_object)[row])) {
        if (*script != 0) return scripts_.learn(id, scripts_.name_of(*script));
      }
    }
    const auto node = static_cast<std::uint32_t>((*columns_.object)[row] / width_);
    if (is_closure(graph_.node(node))) scripts_.learn_from(id, node);
  }

  /// Of several locations of a node, the first counts.
  void add_places() {
    PlaceTable table(graph_);
    NodeSet placed(graph_.node_count());
    std::vector<NodePlace>& places = graph_.node_places;
    for (std::uint64_t row = 0; row < columns_.object->count(); ++row) {
      const auto node = static_cast<std::uint32_t>((*columns_.object)[row] / width_);
      if (!placed.add(node)) continue;
      table.add(node, {.file = scripts_.find((*columns_.script)[row]),
                       .line = count_from_1((*columns_.line)[row]),
                       .column = count_from_1((*columns_.column)[row])});
    }
    if (!std::ranges::is_sorted(places, {}, &NodePlace::node))
      std::ranges::sort(places, {}, &NodePlace::node);
  }

  const Snapshot& snapshot_;
  LocationColumns columns_;
  std::uint64_t width_;
  Graph& graph_;
  ScriptNames scripts_;
};

/// Adds the scripts of closures in a file of Node.js 10, Chrome 64 or earlier, which has no locations.
void add_scripts_only(Graph& graph) {
  ScriptNames scripts(graph);
  PlaceTable places(graph);
  for (std::uint32_t node = 0; node < graph.node_count(); ++node) {
    if (!is_closure(graph.node(node))) continue;
    const std::uint32_t file = scripts.script_of(node);
    if (file != Graph::no_text) places.add(node, {.file = file});
  }
}

}  // namespace

void measure_script_places(const Snapshot& snapshot, Extent& extent) {
  if (snapshot.has(Section::locations)) {
    extent.places = std::min(snapshot.table(Section::locations).row_count(), extent.nodes);
    extent.distinct_places = extent.places;
    return;
  }
  const auto* const names = snapshot.schema.find_type_names(Section::nodes, "type");
  const ChunkedColumn* const types = snapshot.find_column(Section::nodes, "type");
  if (names == nullptr || types == nullptr) return;
  const auto closure = static_cast<std::uint64_t>(std::ranges::find(*names, "closure") - names->begin());
  for_each_value(*types,
                 [&](std::uint64_t, std::uint64_t type) { extent.places += type == closure ? 1U : 0U; });
  // These places consist of the name of a script only.
  extent.distinct_places = std::min(extent.places, extent.texts);
}

void add_script_places(const Snapshot& snapshot, Graph& graph) {
  if (!snapshot.has(Section::locations)) return add_scripts_only(graph);
  if (const auto columns = find_location_columns(snapshot)) LocationReader(snapshot, *columns, graph).run();
}

}  // namespace heapcheck::graph
