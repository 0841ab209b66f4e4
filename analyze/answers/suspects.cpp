// The question about the parts of a heap to look at first: suspects.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "analyze/answers/question.hpp"
#include "analyze/answers/rows.hpp"
#include "analyze/answers/write.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::analyze::answers {
namespace {

std::string show_type(std::string_view type) { return type.empty() ? "<anon>" : core::make_excerpt(type); }

/// `Array @123`.
std::string name_node(const Node& node) {
  return fmt::format("{} @{}", show_type(node.type_name()), node.id());
}

/// The suspicious nodes, such as `2,400 LeakyThing that Array @5 holds`.
std::string describe_nodes(const Graph& graph, const Suspect& suspect) {
  const Node first = graph.node(suspect.nodes[0]);
  if (suspect.chain != 0)
    return fmt::format("a chain of {} {}, of which {} is the first,", show_count(suspect.chain),
                       show_type(suspect.type), name_node(first));
  if (suspect.nodes.size() == 1) return name_node(first);
  const std::string who = suspect.holder
                              ? fmt::format("that {} holds", name_node(graph.node(*suspect.holder)))
                              : "that no single node holds";
  return fmt::format("{} {} {}", show_count(suspect.nodes.size()), show_type(suspect.type), who);
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

/// The answer without suspects.
Answer make_empty(const AskedHeap& asked) {
  return {.facts = make_facts(asked.snapshot),
          .table = {.key = "suspects",
                    .columns = {{"ids", ""},
                                {"name", "Name"},
                                {"retained", "Retained", Unit::bytes},
                                {"share", "Share", Unit::percent},
                                {"reason", "Reason"},
                                {"path", ""}}},
          .text = ""};
}

void add_suspects(const Graph& graph, const std::vector<Suspect>& suspects, bool is_growth, std::size_t most,
                  Answer& answer) {
  for (const Suspect& suspect : suspects) {
    if (answer.table.rows.size() == most) break;
    const std::string reason = make_reason(graph, suspect, is_growth);
    Table path = make_steps(graph, suspect.path);
    path.key = "path";
    answer.table.rows.push_back({list_ids(graph, suspect), suspect.type, suspect.retained, suspect.share,
                                 reason, std::vector{std::move(path)}});
    *answer.text += fmt::format("{}{}. {}\n\n{}", answer.table.rows.size() == 1 ? "" : "\n",
                                answer.table.rows.size(), reason, show_path(graph, suspect.path));
  }
}

Answer find_large(const Options& options, const AskedHeap& asked) {
  Answer answer = make_empty(asked);
  add_suspects(asked.graph(), asked.heap->suspects(make_options(options)), false, options.most_rows(),
               answer);
  if (answer.table.rows.empty())
    answer.text =
        fmt::format("nothing retains {0} % of the heap; --share N with N below {0} looks for less\n",
                    options.count("share"));
  return answer;
}

/// Finds the parts that grew from the first snapshot to the last, or the large parts if nothing grew.
Answer find_growth(const Options& options, const std::vector<AskedHeap>& asked) {
  const AskedHeap& first = asked.front();
  const AskedHeap& last = asked.back();
  std::vector<const Graph*> between;
  for (std::size_t i = 1; i + 1 < asked.size(); ++i) between.push_back(&asked[i].graph());
  const Growth growth = last.heap->growth_since(*first.heap, between, make_options(options));
  // If nothing grew, people still want to see the large parts, so this is not an error.
  if (growth.suspects.empty()) {
    Answer answer = find_large(options, last);
    answer.text = fmt::format("{}; this is what the whole heap has:\n\n{}",
                              growth.size == 0 ? "Nothing is new in the last snapshot"
                                               : "Nothing stands out among what is new in the last snapshot",
                              *answer.text);
    return answer;
  }
  Answer answer = make_empty(last);
  answer.facts.emplace_back("since", first.snapshot);
  answer.facts.emplace_back("by", growth.by == GrowthBy::id ? "id" : "type");
  add_suspects(last.graph(), growth.suspects, true, options.most_rows(), answer);
  if (growth.by == GrowthBy::type)
    *answer.text +=
        "\nWhat is new was estimated by types: the dump does not say which nodes are the same ones.\n";
  return answer;
}

class Suspects final : public AnswerMaker {
 public:
  explicit Suspects(const Options& options) : options_(options) {}

  Result<void> add(const Asked& asked) override {
    const auto heap = make_asked(asked);
    if (!heap) return std::unexpected(heap.error());
    if (!first_) first_ = {asked.file, asked.format};
    if (auto checked = check_comparable(*first_, asked.format); !checked) return checked;
    heaps_.push_back(*heap);
    return {};
  }
  Result<Answer> finish() override {
    if (heaps_.empty()) return refuse("has no snapshot");
    return heaps_.size() == 1 ? find_large(options_, heaps_[0]) : find_growth(options_, heaps_);
  }

 private:
  Options options_;
  std::optional<FirstDump> first_;
  std::vector<AskedHeap> heaps_;
};

}  // namespace

std::unique_ptr<AnswerMaker> make_suspects(const Options& options) {
  return std::make_unique<Suspects>(options);
}

}  // namespace heapcheck::analyze::answers
