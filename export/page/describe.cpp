#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/dominator_tree.hpp"
#include "analyze/node_stacks.hpp"
#include "analyze/stacks.hpp"
#include "analyze/totals.hpp"
#include "export/page/page.hpp"
#include "formats/core/checked.hpp"

namespace heapcheck::exports::page {

namespace {

/// Adds the rows that are among the largest by size or by retained size.
void add_types(std::string_view kind, std::vector<NodeTotals> rows, PageData& data) {
  std::vector<std::uint64_t> retained;
  for (const NodeTotals& row : rows) retained.push_back(row.retained);
  std::ranges::sort(retained, std::ranges::greater());
  const std::uint64_t least = retained.size() > most_rows ? retained[most_rows] : 0;
  std::size_t rank = 0;
  std::size_t by_retained = 0;
  for (NodeTotals& row : rows) {
    const bool is_shown = rank++ < most_rows || (row.retained > least && by_retained++ < most_rows);
    if (!is_shown) {
      ++data.types_left_out.count;
      data.types_left_out.size = core::saturating_add(data.types_left_out.size, row.size);
      continue;
    }
    row.name = name_with_place(row.name, row.place);
    data.types.push_back({.kind = std::string(kind), .totals = std::move(row)});
  }
}

Step make_step(const Graph& graph, const PathStep& step) {
  const Node node = graph.node(step.node);
  const std::string_view own = node.index() == 0 ? "(root)" : node.name();
  const std::string_view name = own.empty() ? node.kind().name : own;
  Step made{
      .edge = {}, .name = name_with_place(name, analyze::place_of(graph, node.place())), .id = node.id()};
  if (!step.edge) return made;
  const Edge edge(graph, *step.edge);
  made.edge = edge.kind().has_index ? fmt::format("[{}]", edge.number()) : cut_name(edge.name());
  return made;
}

SuspectRow make_suspect(const Graph& graph, const Suspect& suspect) {
  SuspectRow row{.type = cut_name(suspect.type),
                 .count = suspect.nodes.size(),
                 .chain = suspect.chain,
                 .id = graph.node_id[suspect.nodes[0]],
                 .holder = {},
                 .retained = suspect.retained,
                 .share = suspect.share,
                 .way = cut_name(suspect.way),
                 .owner = suspect.owner,
                 .fingerprint = suspect.fingerprint,
                 .contents = {},
                 .path = {}};
  if (suspect.holder) row.holder = make_step(graph, {.node = *suspect.holder, .edge = {}});
  for (const std::string& type : suspect.contents) {
    if (row.contents.size() < most_contents) row.contents.push_back(cut_name(type));
  }
  // Only the first and the last steps of a long path are shown.
  const std::size_t count = suspect.path.size();
  row.left_out = count > most_steps ? count - most_steps : 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i < most_steps / 2 || i >= most_steps / 2 + row.left_out)
      row.path.push_back(make_step(graph, suspect.path[i]));
  }
  return row;
}

std::vector<SuspectRow> make_suspects(const Graph& graph, const std::vector<Suspect>& suspects,
                                      std::size_t most) {
  std::vector<SuspectRow> rows;
  for (const Suspect& suspect : suspects) {
    if (rows.size() < most) rows.push_back(make_suspect(graph, suspect));
  }
  return rows;
}

std::vector<Bucket> make_histogram(const Graph& graph) {
  std::vector<Bucket> buckets(65);
  for (std::size_t i = 1; i < buckets.size(); ++i) buckets[i].least = std::uint64_t{1} << (i - 1);
  for (const std::uint64_t size : graph.node_size) {
    Bucket& bucket = buckets[static_cast<std::size_t>(std::bit_width(size))];
    ++bucket.count;
    bucket.size = core::saturating_add(bucket.size, size);
  }
  std::erase_if(buckets, [](const Bucket& bucket) { return bucket.count == 0; });
  return buckets;
}

Tree make_dominator_tree(const Graph& graph, const std::vector<DominatorRow>& rows) {
  Tree tree{.key = "dominators", .places = {}};
  for (const DominatorRow& row : rows)
    tree.places.push_back({.depth = row.depth,
                           .name = name_with_place(row.name, analyze::place_of(graph, row.node, row.count)),
                           .count = row.count,
                           .size = row.size,
                           .held = row.retained});
  tree.is_cut = tree.places.size() >= most_places;
  return tree;
}

Result<Tree> make_tree(const AllocationProfile& profile, StackTree direction, std::string key,
                       std::size_t most) {
  const auto rows = analyze::find_largest_calls(profile, direction, most, {});
  if (!rows) return std::unexpected(rows.error());
  Tree tree{.key = std::move(key), .places = {}, .has_allocated = has_allocated(profile)};
  for (const StackRow& row : *rows)
    tree.places.push_back({.depth = row.depth,
                           .name = name_with_place(profile.texts[profile.frames[row.frame].name],
                                                   analyze::make_place(profile, row.frame)),
                           .count = row.count,
                           .size = row.size,
                           .held = row.cumulative,
                           .allocated_count = row.allocated_count,
                           .allocated_size = row.allocated_size});
  tree.is_cut = tree.places.size() >= most;
  return tree;
}

/// Adds the tree of calls in both directions.
Result<void> add_call_trees(const AllocationProfile& profile, std::size_t most, PageData& data) {
  for (const auto& [direction, key] :
       {std::pair(StackTree::from_root, "stacks"), std::pair(StackTree::inverted, "inverted")}) {
    auto tree = make_tree(profile, direction, key, most);
    if (!tree) return std::unexpected(tree.error());
    data.trees.push_back(std::move(*tree));
  }
  return {};
}

/// The row of a tree that contains a node. Follows the rows of the node's dominators downwards from the root.
std::optional<std::size_t> find_row(const analyze::Heap& heap, const std::vector<DominatorRow>& rows,
                                    std::uint32_t node) {
  std::vector<std::uint32_t> way;
  for (std::optional next = node; next != 0; next = heap.dominator_of(*next)) {
    if (!next || way.size() == rows.size()) return std::nullopt;
    way.push_back(*next);
  }
  std::size_t row = 0;
  for (const std::uint32_t next : std::views::reverse(way)) {
    const std::string_view name = analyze::branch_name_of(heap.graph().node(next));
    const std::uint32_t depth = rows[row].depth + 1;
    do {
      ++row;
      if (row == rows.size() || rows[row].depth < depth) return std::nullopt;
    } while (rows[row].depth != depth || rows[row].name != name);
  }
  return row;
}

/// The rows that contain the nodes of a suspect. If the suspect has a holder, this is one row.
std::vector<std::uint64_t> find_places(const analyze::Heap& heap, const std::vector<DominatorRow>& rows,
                                       const Suspect& suspect) {
  std::map<std::optional<std::uint32_t>, std::uint32_t> firsts;  // the first of the nodes with the same
                                                                 // dominator
  for (const std::uint32_t node : suspect.nodes) firsts.try_emplace(heap.dominator_of(node), node);
  constexpr std::size_t most_tries = 1000;  // the most nodes to try, all of which may be in places that are
                                            // left out
  std::size_t tried = 0;
  std::set<std::uint64_t> places;
  for (const auto& [dominator, node] : firsts) {
    ++tried;
    if (places.size() == most_marks || tried > most_tries) break;
    if (const auto row = find_row(heap, rows, node)) places.insert(*row);
  }
  return {places.begin(), places.end()};
}

}  // namespace

FileRow make_file_row(const std::string& name, Format format, const Report& report, std::size_t limit) {
  FileRow row{.name = name,
              .format = format,
              .byte_count = report.byte_count,
              .verdict = report.verdict,
              .errors = report.count(Severity::error),
              .warnings = report.count(Severity::warning),
              .notes = report.count(Severity::note),
              .findings = {}};
  for (const Finding& finding : report.findings) {
    if (row.findings.size() == limit) break;
    row.findings.push_back({.severity = std::string(name_of(finding.severity)),
                            .id = std::string(finding.rule->id),
                            .message = finding.message,
                            .offset = finding.location.file.offset});
  }
  return row;
}

std::map<std::string, std::string> find_other_kinds(const Graph& graph) {
  std::map<std::string, std::string> kinds;
  for (const GraphKind& kind : graph.node_kinds) {
    const bool is_other =
        kind.group == NodeGroup::other || kind.group == NodeGroup::string || kind.group == NodeGroup::root;
    if (is_other) kinds.emplace(kind.name, kind.type_name.empty() ? kind.name : kind.type_name);
  }
  return kinds;
}

Result<void> describe_heap(const analyze::Heap& heap, PageData& data) {
  const Graph& graph = heap.graph();
  data.edge_count = graph.edge_count();
  data.kinds = heap.kinds();
  for (NodeTotals& kind : data.kinds) kind.name = cut_name(kind.name);
  constexpr std::pair<TopOf, std::string_view> groups[] = {{TopOf::objects, "objects"},
                                                           {TopOf::types, "type objects"},
                                                           {TopOf::stables, "STables"},
                                                           {TopOf::frames, "frames"}};
  for (const auto& [of, name] : groups) add_types(name, heap.top(of, TopBy::size), data);
  // Strings, numbers and similar nodes have no types. They would be missing from the picture of types if the
  // picture did not show their kinds.
  const auto other_kinds = find_other_kinds(graph);
  std::vector<NodeTotals> others;
  for (NodeTotals& kind : heap.top(TopOf::kinds, TopBy::size)) {
    const auto other = other_kinds.find(kind.name);
    if (other == other_kinds.end() || kind.size == 0) continue;
    kind.name = other->second;
    others.push_back(std::move(kind));
  }
  add_types("kinds", std::move(others), data);
  const auto rows = heap.outline(most_places);
  data.trees.push_back(make_dominator_tree(graph, rows));
  const auto suspects = heap.suspects({.least_share = data.least_share}).suspects;
  data.suspects = make_suspects(graph, suspects, most_suspects);
  for (std::size_t i = 0; i < data.suspects.size(); ++i)
    data.suspects[i].places = find_places(heap, rows, suspects[i]);
  data.histogram = make_histogram(graph);
  const auto profile = analyze::make_live_profile(graph);
  return profile ? add_call_trees(*profile, most_live_places, data) : Result<void>();
}

void describe_growth(const analyze::Heap& first, const analyze::NodesById* between, const analyze::Heap& last,
                     PageData& data) {
  const Growth growth = last.growth_since(first, between, {.least_share = data.least_share});
  data.growth = GrowthRow{.by = growth.by,
                          .size = growth.size,
                          .suspects = make_suspects(last.graph(), growth.suspects, most_new_suspects),
                          .doubt = growth.doubt};
}

Result<void> describe_profile(const AllocationProfile& profile, PageData& data) {
  data.is_stacks = true;
  data.process = cut_name(profile.process.name);
  data.dump = cut_name(profile.process.dump);
  if (!profile.allocator.empty())
    data.kinds = analyze::count_allocations(profile, AllocationsOf::allocators, TopBy::size);
  if (data.kinds.size() > most_rows) data.kinds.resize(most_rows);
  for (NodeTotals& kind : data.kinds) kind.name = cut_name(kind.name);
  add_types("frames", analyze::count_allocations(profile, AllocationsOf::frames, TopBy::size), data);
  if (!profile.type.empty())
    add_types("types", analyze::count_allocations(profile, AllocationsOf::types, TopBy::size), data);
  return add_call_trees(profile, most_places, data);
}

}  // namespace heapcheck::exports::page
