#include "analyze/answers/suspect_rows.hpp"

#include <fmt/format.h>

#include <utility>

#include "analyze/answers/doubts.hpp"
#include "analyze/answers/rows.hpp"
#include "analyze/answers/write.hpp"
#include "analyze/leaks.hpp"
#include "analyze/printed_name.hpp"
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
std::string describe_nodes(const Graph& graph, const Suspect& suspect, bool has_holder) {
  const Node first = graph.node(suspect.nodes[0]);
  std::string way = suspect.way.empty() ? "" : " in " + suspect.way;
  if (!suspect.leads_to.empty())
    way += fmt::format("{} leading to {}", way.empty() ? "" : ",", suspect.leads_to);
  if (suspect.chain != 0)
    return fmt::format("a chain of {} {}{}, of which {} is the first,", show_count(suspect.chain),
                       show_type(suspect.type), way, name_node(first));
  const std::string place = show_place_after(place_of(graph, first.place()));
  if (suspect.nodes.size() == 1) return name_node(first) + place + way + (way.empty() ? "" : ",");
  const std::string type = suspect.type == internal_type ? "internal nodes of V8" : show_type(suspect.type);
  const std::string nodes = fmt::format("{} {}{}{}", show_count(suspect.nodes.size()), type, place, way);
  if (!has_holder) return nodes + (way.empty() ? "" : ",");
  const bool is_held = suspect.holder && *suspect.holder != 0;
  return nodes + (is_held ? fmt::format(", held by {},", name_node(graph.node(*suspect.holder)))
                          : ", which no single node holds,");
}

/// `, mostly in Entry > Array`, or an empty string.
std::string describe_contents(const Suspect& suspect) {
  std::string text;
  for (const std::string& type : suspect.contents)
    text += (text.empty() ? ", mostly in " : " > ") + show_type(type);
  return text;
}

}  // namespace

std::string make_reason(const Graph& graph, const Suspect& suspect, bool is_growth, SuspectForm form) {
  const bool is_one = suspect.nodes.size() == 1 || suspect.chain != 0;
  const bool is_leak = form == SuspectForm::leak;
  return fmt::format("{} {} {}{}{}, {:.1f} % of {}", describe_nodes(graph, suspect, !is_leak),
                     is_one ? "retains" : "retain", is_growth && !is_leak ? "new nodes of " : "",
                     show_bytes(suspect.retained), describe_contents(suspect), suspect.share * 100,
                     is_growth ? "what is new" : "the heap");
}

std::vector<std::uint64_t> list_ids(const Graph& graph, std::span<const std::uint32_t> nodes) {
  std::vector<std::uint64_t> ids;
  for (const std::uint32_t node : nodes) ids.push_back(graph.node_id[node]);
  return ids;
}

std::string describe_suspect(const Suspect& suspect, std::size_t number, std::string_view reason) {
  return fmt::format("{}{}. {}\nfingerprint {}\n\n", number == 1 ? "" : "\n", number, reason,
                     suspect.fingerprint);
}

std::string show_path_to(const Graph& graph, const std::vector<PathStep>& path,
                         std::span<const std::uint64_t> retained) {
  // In V8's files, what nothing leads to is held by the root, too.
  return path.empty() ? "no path leads there from the root\n" : show_path(graph, path, retained);
}

void Compared::add(const AskedHeap& next, const std::string& file) {
  last_file = file;
  if (!first) {
    first = next;
    return;
  }
  const AskedHeap& before = last ? *last : *first;
  const NodesById& nodes = before.heap->nodes_by_id();
  const Relation relation =
      find_dump_relation(nodes, before.recording, next.heap->nodes_by_id(), next.recording);
  if (doubt == GrowthDoubt::none) doubt = relation.doubt;
  // The ids of another process do not show which nodes were still alive.
  const bool counts = last && analyze::find_relation(first->heap->nodes_by_id(), nodes).share_ids;
  if (counts && between) between->keep_common(nodes);
  if (counts && !between) between = nodes;
  last = next;
}

Result<void> ComparingMaker::add(const Asked& asked) {
  if (auto checked = check_format(asked.format); !checked) return checked;
  if (!first_) first_ = {asked.file, asked.format};
  if (auto checked = check_comparable(*first_, asked.format); !checked) return checked;
  if (!asked.lack.empty()) return {};
  const auto heap = make_asked(asked);
  if (!heap) return std::unexpected(heap.error());
  compared_.add(*heap, asked.file);
  return {};
}

Result<Answer> ComparingMaker::finish() {
  if (!first_) return refuse("has no snapshot");
  if (!compared_.first) return answer_nothing();
  return compared_.last ? answer_growth(compared_) : answer_one(*compared_.first, compared_.last_file);
}

void add_growth_facts(GrowthBy by, const Compared& compared, Answer& answer) {
  answer.facts.emplace_back("since", compared.first->snapshot);
  answer.facts.emplace_back("by", by == GrowthBy::id ? "id" : "type");
}

std::string describe_estimate(GrowthBy by, GrowthDoubt doubt, const Graph& graph) {
  const bool has_ids = graph.rules == RetentionRules::devtools;
  if (by == GrowthBy::id || (doubt == GrowthDoubt::other_process && has_ids)) return {};
  return "\nWhat is new was estimated by type, because the dump does not show which nodes are the same.\n";
}

void add_doubt(GrowthDoubt found, GrowthBy by, const Compared& compared, Answer& answer) {
  const GrowthDoubt doubt = found != GrowthDoubt::none ? found : compared.doubt;
  answer.facts.emplace_back("doubt", std::string(analyze::name_of(doubt)));
  if (doubt == GrowthDoubt::none) return;
  const RetentionRules rules = compared.last->graph().rules;
  std::string text(describe(doubt, rules));
  if (doubt == GrowthDoubt::other_process && rules == RetentionRules::devtools)
    text += by == GrowthBy::type
                ? ", so they were compared by type"
                : "; the first and the last are from the same one, so they were compared by id";
  answer.remarks.push_back({Remark::Kind::note, std::move(text)});
}

}  // namespace heapcheck::analyze::answers
