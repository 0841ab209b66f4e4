#include "graph/trace_stacks.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/core/frame_table.hpp"
#include "formats/core/keyed_hash.hpp"
#include "formats/v8/heapsnapshot/quirks.hpp"

namespace heapcheck::graph {
namespace {

using v8::heapsnapshot::ChunkedColumn;
using v8::heapsnapshot::for_each_value;
using v8::heapsnapshot::Section;
using v8::heapsnapshot::Snapshot;
using v8::heapsnapshot::TraceTree;

/// The columns of the functions, none of which is null.
struct FunctionColumns {
  const ChunkedColumn* name;
  const ChunkedColumn* script;
  const ChunkedColumn* line;
  const ChunkedColumn* column;

  [[nodiscard]] std::uint64_t count() const { return name->count(); }
};

std::optional<FunctionColumns> find_function_columns(const Snapshot& snapshot) {
  if (!snapshot.is_sound(Section::trace_function_infos)) return std::nullopt;
  const auto find = [&](std::string_view name) {
    return snapshot.find_column(Section::trace_function_infos, name);
  };
  if (find_missing_stack_column(snapshot)) return std::nullopt;
  return FunctionColumns{find("name"), find("script_name"), find("line"), find("column")};
}

/// A line or column, which V8 counts from 1. Larger numbers, which V8 does not write, count as unknown.
std::uint32_t narrow(std::uint64_t number) {
  return number <= UINT32_MAX ? static_cast<std::uint32_t>(number) : 0U;
}

/// Copies the strings of functions from the graph to the profile, each of them only once.
class CopiedTexts {
 public:
  CopiedTexts(const Texts& from, Texts& to) : from_(&from), to_(&to) {}

  std::uint32_t copy(std::uint64_t text) { return copy(from_text(text)); }
  /// The text must remain valid.
  std::uint32_t copy(std::string_view text) {
    const auto [found, is_new] = copies_.try_emplace(text, to_->count());
    if (is_new) to_->add(found->first);
    return static_cast<std::uint32_t>(found->second);
  }
  [[nodiscard]] std::string_view from_text(std::uint64_t text) const {
    return (*from_)[static_cast<std::size_t>(text)];
  }

 private:
  const Texts* from_;
  Texts* to_;
  std::unordered_map<std::string_view, std::size_t, core::KeyedHash> copies_;
};

/// Adds the functions to the profile, and returns the index of the frame of each of them. Several rows may be
/// about one function, for example if it was compiled twice. The last frame is for functions that are not in
/// the file, if there are any.
std::vector<std::uint32_t> add_functions(const FunctionColumns& columns, const Texts& texts, bool has_unknown,
                                         AllocationProfile& profile) {
  CopiedTexts copied(texts, profile.texts);
  core::FrameTable frames;
  std::vector<std::uint32_t> frame_of;
  for (std::uint64_t row = 0; row < columns.count(); ++row) {
    const std::uint64_t script = (*columns.script)[row];
    const bool has_script = !copied.from_text(script).empty();
    frame_of.push_back(frames.intern({.name = copied.copy((*columns.name)[row]),
                                      .script = has_script ? copied.copy(script) : StackFrame::no_script,
                                      .line = narrow((*columns.line)[row]),
                                      .column = narrow((*columns.column)[row])}));
  }
  if (has_unknown) frame_of.push_back(frames.intern({.name = copied.copy(std::string_view("(unknown)"))}));
  profile.frames = frames.take();
  return frame_of;
}

std::uint64_t largest_function(const TraceTree& tree) { return std::ranges::max(tree.function_info_index); }

/// Whether all indices are in range or of functions that V8 recorded late, so that the tree can be used.
bool is_usable(const Snapshot& snapshot, const FunctionColumns& columns, const Texts& texts) {
  const TraceTree& tree = snapshot.trace_tree;
  const bool has_texts = columns.name->largest() < texts.count() && columns.script->largest() < texts.count();
  return tree.is_whole() && !tree.id.empty() && tree.id.size() < Graph::no_stack && has_texts &&
         (largest_function(tree) < columns.count() || v8::heapsnapshot::has_late_functions(snapshot));
}

AllocationProfile make_stacks(const TraceTree& tree, const FunctionColumns& columns, const Texts& texts) {
  AllocationProfile profile;
  const bool has_unknown = largest_function(tree) >= columns.count();
  const std::vector<std::uint32_t> frame_of = add_functions(columns, texts, has_unknown, profile);
  for (std::size_t row = 0; row < tree.id.size(); ++row) {
    // If there are several roots, the others become callees of the first one.
    profile.caller.push_back(tree.parent[row] == TraceTree::no_parent ? 0 : tree.parent[row]);
    const std::uint64_t function =
        std::min<std::uint64_t>(tree.function_info_index[row], frame_of.size() - 1);
    profile.frame.push_back(frame_of[static_cast<std::size_t>(function)]);
  }
  profile.allocated_count = tree.count;
  profile.allocated_size = tree.size;
  return profile;
}

/// The row of the tree for each node. If rows share an id, the last one counts, as in DevTools.
std::vector<std::uint32_t> find_node_stacks(const TraceTree& tree, const ChunkedColumn& trace_ids) {
  std::unordered_map<std::uint64_t, std::uint32_t, core::KeyedHash> row_of;
  for (std::size_t row = 0; row < tree.id.size(); ++row)
    row_of.insert_or_assign(tree.id[row], static_cast<std::uint32_t>(row));
  std::vector<std::uint32_t> rows;
  rows.reserve(static_cast<std::size_t>(trace_ids.count()));
  // Most nodes have no stack, or the same one as the node before.
  std::pair<std::uint64_t, std::uint32_t> last{0, Graph::no_stack};
  for_each_value(trace_ids, [&](std::uint64_t, std::uint64_t id) {
    if (id != last.first) {
      const auto found = row_of.find(id);
      last = {id, id == 0 || found == row_of.end() ? Graph::no_stack : found->second};
    }
    rows.push_back(last.second);
  });
  return rows;
}

void add_stacks(const Snapshot& snapshot, Graph& graph) {
  const auto columns = find_function_columns(snapshot);
  if (!columns || !is_usable(snapshot, *columns, graph.texts)) return;
  graph.stacks = make_stacks(snapshot.trace_tree, *columns, graph.texts);
  graph.node_stack =
      find_node_stacks(snapshot.trace_tree, *snapshot.find_column(Section::nodes, "trace_node_id"));
}

void add_samples(const Snapshot& snapshot, Graph& graph) {
  if (!snapshot.is_sound(Section::samples)) return;
  const ChunkedColumn* const times = snapshot.find_column(Section::samples, "timestamp_us");
  const ChunkedColumn* const ids = snapshot.find_column(Section::samples, "last_assigned_id");
  if (times == nullptr || ids == nullptr) return;
  for (std::uint64_t row = 0; row < times->count(); ++row)
    graph.samples.push_back({.time = (*times)[row], .last_id = (*ids)[row]});
  const bool is_in_order = std::ranges::is_sorted(graph.samples, {}, &AllocationSample::time) &&
                           std::ranges::is_sorted(graph.samples, {}, &AllocationSample::last_id);
  if (!is_in_order) graph.samples.clear();
}

}  // namespace

std::optional<std::string_view> find_missing_stack_column(const Snapshot& snapshot) {
  constexpr std::array<std::pair<Section, std::string_view>, 5> needed{{
      {Section::nodes, "trace_node_id"},
      {Section::trace_function_infos, "name"},
      {Section::trace_function_infos, "script_name"},
      {Section::trace_function_infos, "line"},
      {Section::trace_function_infos, "column"},
  }};
  for (const auto& [section, name] : needed) {
    if (snapshot.find_column(section, name) == nullptr) return name;
  }
  return std::nullopt;
}

std::uint64_t measure_trace_stacks(const Snapshot& snapshot) {
  constexpr std::uint64_t call_bytes = 2 * sizeof(std::uint32_t) + 2 * sizeof(std::uint64_t);
  const std::uint64_t calls = snapshot.trace_tree.id.size();
  const std::uint64_t nodes = calls == 0 ? 0 : snapshot.table(Section::nodes).row_count();
  // Each of these numbers is limited by the size of the file, so that nothing overflows.
  return nodes * sizeof(std::uint32_t) + calls * call_bytes +
         snapshot.table(Section::trace_function_infos).row_count() * sizeof(StackFrame) +
         snapshot.table(Section::samples).row_count() * sizeof(AllocationSample);
}

void add_trace_stacks(const Snapshot& snapshot, Graph& graph) {
  add_stacks(snapshot, graph);
  add_samples(snapshot, graph);
}

}  // namespace heapcheck::graph
