// The question about the parts of a heap to look at first: suspects.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyze/answers/doubts.hpp"
#include "analyze/answers/other_holders.hpp"
#include "analyze/answers/question.hpp"
#include "analyze/answers/rows.hpp"
#include "analyze/answers/write.hpp"
#include "analyze/node_stacks.hpp"
#include "analyze/totals.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::analyze::answers {
namespace {

std::string show_type(std::string_view type) { return type.empty() ? "<anon>" : core::make_excerpt(type); }

/// `Array @123`.
std::string name_node(const Node& node) {
  return fmt::format("{} @{}", show_type(node.type_name()), node.id());
}

/// The suspicious nodes after what leads to them, such as `2,400 LeakyThing in load's variable all
/// (app.js:66), held by Array @5,`.
std::string describe_nodes(const Graph& graph, const Suspect& suspect) {
  const Node first = graph.node(suspect.nodes[0]);
  std::string way = suspect.way.empty() ? "" : " in " + suspect.way;
  if (!suspect.leads_to.empty())
    way += fmt::format("{} leading to {}", way.empty() ? "" : ",", suspect.leads_to);
  if (suspect.chain != 0)
    return fmt::format("a chain of {} {}{}, of which {} is the first,", show_count(suspect.chain),
                       show_type(suspect.type), way, name_node(first));
  const std::string place = show_place_after(place_of(graph, first.place()));
  if (suspect.nodes.size() == 1) return name_node(first) + place + way + (way.empty() ? "" : ",");
  const bool has_holder = suspect.holder && *suspect.holder != 0;
  const std::string who = has_holder ? fmt::format(", held by {},", name_node(graph.node(*suspect.holder)))
                                     : ", which no single node holds,";
  return fmt::format("{} {}{}{}{}", show_count(suspect.nodes.size()), show_type(suspect.type), place, way,
                     who);
}

/// `, mostly in Entry > Array`, or an empty text.
std::string describe_contents(const Suspect& suspect) {
  std::string text;
  for (const std::string& type : suspect.contents)
    text += (text.empty() ? ", mostly in " : " > ") + show_type(type);
  return text;
}

std::string make_reason(const Graph& graph, const Suspect& suspect, bool is_growth) {
  const bool is_one = suspect.nodes.size() == 1 || suspect.chain != 0;
  const std::string retain = is_one ? "retains" : "retain";
  return fmt::format(
      "{} {} {}{}, {:.1f} % of {}", describe_nodes(graph, suspect), retain,
      is_growth ? "new nodes of " + show_bytes(suspect.retained) : show_bytes(suspect.retained),
      describe_contents(suspect), suspect.share * 100, is_growth ? "what is new" : "the heap");
}

std::vector<std::uint64_t> list_ids(const Graph& graph, const Suspect& suspect) {
  std::vector<std::uint64_t> ids;
  for (const std::uint32_t node : suspect.nodes) ids.push_back(graph.node_id[node]);
  return ids;
}

SuspectOptions make_options(const Options& options) {
  return {.least_share = static_cast<double>(options.count("share")) / 100,
          .least_drop = static_cast<double>(options.count("drop")) / 100};
}

/// The answer without suspects. `snapshot` is its index, if the dump has one.
Answer make_empty(Cell snapshot) {
  return {.facts = {{"snapshot", std::move(snapshot)}},
          .table = {.key = "suspects",
                    .columns = {{"ids", ""},
                                {"name", "Name"},
                                {"retained", "Retained", Unit::bytes},
                                {"share", "Share", Unit::percent},
                                {"reason", "Reason"},
                                {"way", "Way"},
                                {"owner", "Owner"},
                                {"path", ""}}},
          .text = ""};
}

/// The stack that allocated most of a suspect, for people, after the path.
std::string describe_stack(const AllocatingStack& stack, const Table& calls, std::size_t most) {
  return fmt::format("\n{} of {} was allocated by this stack, innermost call first:\n\n{}",
                     show_bytes(stack.allocated.size), show_bytes(stack.size), show_table(calls, most));
}

/// Adds the stack that allocated most of a suspect, if the dump is a timeline with stacks. A stack that
/// allocated only a small part would mislead: the rest was allocated before stacks were recorded.
void add_stack(const Heap& heap, const Suspect& suspect, std::span<const std::uint64_t> sizes,
               std::size_t most, Answer& answer) {
  constexpr double least_share = 0.2;
  if (heap.graph().node_stack.empty()) return;
  if (answer.table.columns.back().key != "stack") answer.table.columns.push_back({"stack", ""});
  auto stack = find_allocating_stack(heap, suspect.nodes, sizes);
  if (stack && static_cast<double>(stack->allocated.size) < least_share * static_cast<double>(stack->size))
    stack.reset();
  Table calls = make_stack(
      heap.graph(), stack ? std::span<const std::uint32_t>(stack->places) : std::span<const std::uint32_t>());
  if (stack) *answer.text += describe_stack(*stack, calls, most);
  answer.table.rows.back().emplace_back(std::vector{std::move(calls)});
}

/// How many steps two paths have in common at their start.
std::size_t count_common(const std::vector<PathStep>& a, const std::vector<PathStep>& b) {
  const auto is_same = [](const PathStep& x, const PathStep& y) {
    return x.node == y.node && x.edge == y.edge;
  };
  return static_cast<std::size_t>(std::ranges::mismatch(a, b, is_same).in1 - a.begin());
}

/// The path to suspect `index` for people. If it begins like that to an earlier suspect, which is above it,
/// the common start is left out.
std::string show_path_to(const Heap& heap, std::span<const Suspect> suspects, std::size_t index) {
  constexpr std::size_t least_common = 3;  // a shorter start takes no more room than the words
  const std::vector<PathStep>& path = suspects[index].path;
  // In V8's files, what nothing leads to is held by the root, too.
  if (path.empty()) return "no path leads there from the root\n";
  std::size_t most = 0;
  std::size_t like = 0;
  for (std::size_t i = 0; i < index; ++i) {
    const std::size_t common = count_common(suspects[i].path, path);
    if (common > most) like = i;
    most = std::max(most, common);
  }
  if (most < least_common) return show_path(heap.graph(), path, heap.suspect_sizes());
  std::vector<PathStep> rest(path.begin() + static_cast<std::ptrdiff_t>(most) - 1, path.end());
  rest.front().edge.reset();
  return fmt::format("as in {}, down to\n{}", like + 1, show_path(heap.graph(), rest, heap.suspect_sizes()));
}

/// `new_sizes` is empty if the suspects are about the whole heap rather than about its growth.
void add_suspects(const Heap& heap, const std::vector<Suspect>& suspects,
                  std::span<const std::uint64_t> new_sizes, std::size_t most, Answer& answer) {
  const bool is_growth = !new_sizes.empty();
  const Graph& graph = heap.graph();
  for (const Suspect& suspect : suspects) {
    if (answer.table.rows.size() == most) break;
    const std::string reason = make_reason(graph, suspect, is_growth);
    Table path = make_steps(graph, suspect.path, heap.suspect_sizes());
    path.key = "path";
    answer.table.rows.push_back({list_ids(graph, suspect), suspect.type, suspect.retained, suspect.share,
                                 reason, suspect.way, std::string(analyze::name_of(suspect.owner)),
                                 std::vector{std::move(path)}});
    const std::string shown = show_path_to(heap, suspects, answer.table.rows.size() - 1);
    *answer.text += fmt::format("{}{}. {}\n\n{}", answer.table.rows.size() == 1 ? "" : "\n",
                                answer.table.rows.size(), reason, shown);
    *answer.text += describe_other_holders(heap, suspect.path);
    add_stack(heap, suspect, is_growth ? new_sizes : heap.counted_sizes(), most, answer);
  }
}

/// `up to 12 more parts retain at least 1 % each; --share 1 shows them`, or an empty text. With a smaller
/// share, parts may be divided differently, so their number is not certain.
std::string describe_smaller(std::uint64_t smaller, const Options& options) {
  if (smaller == 0) return {};
  const std::string more =
      options.count("share") > 5 && smaller > 20 ? "--share 5 or --share 1" : "--share 1";
  return fmt::format("up to {} more {} at least 1 % each; {} shows {}\n", show_count(smaller),
                     smaller == 1 ? "part retains" : "parts retain", more, smaller == 1 ? "it" : "them");
}

Answer find_large(const Options& options, const AskedHeap& asked) {
  Answer answer = make_empty(asked.snapshot);
  const FoundSuspects found = asked.heap->suspects(make_options(options));
  add_suspects(*asked.heap, found.suspects, {}, options.most_rows(), answer);
  answer.facts.emplace_back("smaller", found.smaller);
  if (asked.graph().edge_count() == 0) {
    answer.table.rows.clear();
    answer.text = "the snapshot has no edges, so nothing shows what holds its nodes\n";
    return answer;
  }
  if (answer.table.rows.empty())
    answer.text = fmt::format("nothing retains {} % of the heap\n", options.count("share"));
  *answer.text += (answer.table.rows.empty() ? "" : "\n") + describe_smaller(found.smaller, options);
  return answer;
}

/// The snapshots that are compared. Of those between the first and the last, only what they have in common is
/// kept, because there may be many.
struct Compared {
  std::optional<AskedHeap> first = {};
  std::optional<NodesById> between = {};
  std::optional<AskedHeap> last = {};
  GrowthDoubt doubt{};  ///< about two snapshots that follow each other

  void add(const AskedHeap& next) {
    if (first) {
      const AskedHeap& before = last ? *last : *first;
      const NodesById& nodes = before.heap->nodes_by_id();
      const Relation relation =
          find_relation(nodes, before.recording, next.heap->nodes_by_id(), next.recording);
      if (doubt == GrowthDoubt::none) doubt = relation.doubt;
      if (last && between) between->keep_common(nodes);
      if (last && !between) between = nodes;
    }
    (first ? last : first) = next;
  }
};

/// Finds the parts that grew from the first snapshot to the last, or the large parts if nothing grew.
Answer find_growth(const Options& options, const Compared& compared) {
  const AskedHeap& first = *compared.first;
  const AskedHeap& last = *compared.last;
  const NodesById* const between = compared.between ? &*compared.between : nullptr;
  const Growth growth = last.heap->growth_since(*first.heap, between, make_options(options));
  // If nothing grew, people still want to see the large parts, so this is not an error.
  const bool has_growth = !growth.suspects.empty();
  Answer answer = has_growth ? make_empty(last.snapshot) : find_large(options, last);
  if (has_growth) {
    answer.facts.emplace_back("since", first.snapshot);
    answer.facts.emplace_back("by", growth.by == GrowthBy::id ? "id" : "type");
    answer.facts.emplace_back("smaller", growth.smaller);
    add_suspects(*last.heap, growth.suspects, growth.new_sizes, options.most_rows(), answer);
    if (growth.smaller != 0) *answer.text += "\n" + describe_smaller(growth.smaller, options);
    const bool has_ids = last.graph().rules == RetentionRules::devtools;
    if (growth.by == GrowthBy::type && (growth.doubt != GrowthDoubt::other_process || !has_ids))
      *answer.text +=
          "\nWhat is new was estimated by types: the dump does not say which nodes are the same ones.\n";
  } else if (growth.size == 0) {
    answer.text =
        "Nothing is new in the last snapshot; these are the suspects in the whole heap:\n\n" + *answer.text;
  } else {
    answer.text = fmt::format(
        "No part retains {} % of what is new in the last snapshot; {}these are the suspects in the whole "
        "heap:\n\n{}",
        options.count("share"), describe_smaller(growth.smaller, options), *answer.text);
  }
  const GrowthDoubt doubt = growth.doubt != GrowthDoubt::none ? growth.doubt : compared.doubt;
  answer.facts.emplace_back("doubt", std::string(analyze::name_of(doubt)));
  if (doubt != GrowthDoubt::none) {
    const RetentionRules rules = last.graph().rules;
    const bool is_cause = doubt == GrowthDoubt::other_process && rules == RetentionRules::devtools;
    const std::string_view by = is_cause ? ", so they were compared by type" : "";
    answer.remarks.push_back({Remark::Kind::note, std::string(describe(doubt, rules)).append(by)});
  }
  return answer;
}

class Suspects final : public AnswerMaker {
 public:
  explicit Suspects(Options options) : options_(std::move(options)) {}

  Result<void> add(const Asked& asked) override {
    if (!first_) first_ = {asked.file, asked.format};
    if (auto checked = check_comparable(*first_, asked.format); !checked) return checked;
    if (!asked.lack.empty()) return {};
    const auto heap = make_asked(asked);
    if (!heap) return std::unexpected(heap.error());
    compared_.add(*heap);
    return {};
  }
  Result<Answer> finish() override {
    if (!first_) return refuse("has no snapshot");
    if (!compared_.first) return make_empty({});  // of a trace without heap dumps
    return compared_.last ? find_growth(options_, compared_) : find_large(options_, *compared_.first);
  }

 private:
  Options options_;
  std::optional<FirstDump> first_;
  Compared compared_;
};

}  // namespace

std::unique_ptr<AnswerMaker> make_suspects(const Options& options) {
  return std::make_unique<Suspects>(options);
}

}  // namespace heapcheck::analyze::answers
