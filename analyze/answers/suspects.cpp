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

#include "analyze/answers/other_holders.hpp"
#include "analyze/answers/question.hpp"
#include "analyze/answers/rows.hpp"
#include "analyze/answers/suspect_conditions.hpp"
#include "analyze/answers/suspect_rows.hpp"
#include "analyze/answers/write.hpp"
#include "analyze/node_stacks.hpp"

namespace heapcheck::analyze::answers {
namespace {

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
                                {"fingerprint", "Fingerprint"},
                                {"path", ""}}},
          .text = ""};
}

/// The stack that allocated most of a suspect, in human-readable form; it comes after the path.
std::string describe_stack(const AllocatingStack& stack, const Table& calls, std::size_t most) {
  return fmt::format("\n{} of {} was allocated by this stack, innermost call first:\n\n{}",
                     show_bytes(stack.allocated.size), show_bytes(stack.size), show_table(calls, most));
}

/// Adds the stack that allocated most of a suspect, if the dump is a timeline with stacks. A stack that
/// allocated only a small part would mislead, because the rest was allocated before stacks were recorded.
void add_stack(const Heap& heap, const Suspect& suspect, const GraphColumn& sizes, std::size_t most,
               Answer& answer) {
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

/// The path to suspect `index` in human-readable form. If it begins like the path to an earlier suspect,
/// which is shown above it, the common start is left out.
std::string show_path_after(const Heap& heap, std::span<const Suspect> suspects, std::size_t index) {
  constexpr std::size_t least_common = 3;  // a shorter start takes no more room than words in its place
  const std::vector<PathStep>& path = suspects[index].path;
  std::size_t most = 0;
  std::size_t like = 0;
  for (std::size_t i = 0; i < index; ++i) {
    const std::size_t common = count_common(suspects[i].path, path);
    if (common > most) like = i;
    most = std::max(most, common);
  }
  if (most < least_common) return show_path_to(heap.graph(), path, heap.suspect_sizes());
  std::vector<PathStep> rest(path.begin() + static_cast<std::ptrdiff_t>(most) - 1, path.end());
  rest.front().edge.reset();
  return fmt::format("as in {}, down to\n{}", like + 1, show_path(heap.graph(), rest, heap.suspect_sizes()));
}

/// `new_sizes` is empty if the suspects are about the whole heap rather than about its growth.
void add_suspects(const Heap& heap, const std::vector<Suspect>& suspects, const GraphColumn& new_sizes,
                  std::size_t most, Answer& answer) {
  const bool is_growth = !new_sizes.empty();
  const Graph& graph = heap.graph();
  const OtherHolders holders(heap, std::span(suspects).first(std::min(most, suspects.size())));
  for (const Suspect& suspect : suspects) {
    if (answer.table.rows.size() == most) break;
    const std::string reason = make_reason(graph, suspect, is_growth);
    Table path = make_steps(graph, suspect.path, heap.suspect_sizes());
    path.key = "path";
    answer.table.rows.push_back(
        {list_ids(graph, suspect.nodes), suspect.type, suspect.retained, suspect.share, reason, suspect.way,
         std::string(analyze::name_of(suspect.owner)), suspect.fingerprint, std::vector{std::move(path)}});
    const std::size_t number = answer.table.rows.size();
    *answer.text += describe_suspect(suspect, number, reason) + show_path_after(heap, suspects, number - 1);
    *answer.text += holders.describe(suspect.path);
    add_stack(heap, suspect, is_growth ? new_sizes : heap.counted_sizes(), most, answer);
  }
}

/// Adds the outcomes of the conditions, which concern all suspects, whatever the limit.
void add_suspect_outcomes(const Options& options, const Heap& heap, const std::vector<Suspect>& suspects,
                          bool is_growth, const std::string& file, Answer& answer) {
  std::vector<DescribedSuspect> described;
  for (const Suspect& suspect : suspects)
    described.push_back({.suspect = &suspect,
                         .reason = make_reason(heap.graph(), suspect, is_growth),
                         .path = show_path_to(heap.graph(), suspect.path, heap.suspect_sizes())});
  add_suspect_conditions(options, described, file, answer);
}

/// `up to 12 more parts retain at least 1 % each; --share 1 shows them`, or an empty string. With a smaller
/// share, parts may be divided differently, so their number is not certain.
std::string describe_smaller(std::uint64_t smaller, const Options& options) {
  if (smaller == 0) return {};
  const std::string more =
      options.count("share") > 5 && smaller > 20 ? "--share 5 or --share 1" : "--share 1";
  return fmt::format("up to {} more {} at least 1 % each; {} shows {}\n", show_count(smaller),
                     smaller == 1 ? "part retains" : "parts retain", more, smaller == 1 ? "it" : "them");
}

/// `file` is the name of the dump if the conditions concern the whole heap, rather than its growth.
Answer find_large(const Options& options, const AskedHeap& asked, const std::optional<std::string>& file) {
  Answer answer = make_empty(asked.snapshot);
  const FoundSuspects found = asked.heap->suspects(make_options(options));
  answer.facts.emplace_back("smaller", found.smaller);
  if (asked.graph().edge_count() == 0) {
    answer.text = no_edges;
    return answer;
  }
  add_suspects(*asked.heap, found.suspects, {}, options.most_rows(), answer);
  if (answer.table.rows.empty())
    answer.text = fmt::format("nothing retains {} % of the heap\n", options.count("share"));
  *answer.text += (answer.table.rows.empty() ? "" : "\n") + describe_smaller(found.smaller, options);
  if (file) add_suspect_outcomes(options, *asked.heap, found.suspects, false, *file, answer);
  return answer;
}

/// Finds the parts that grew from the first snapshot to the last, or the large parts if nothing grew.
Answer find_growth(const Options& options, const Compared& compared) {
  const AskedHeap& last = *compared.last;
  const NodesById* const between = compared.between ? &*compared.between : nullptr;
  const Growth growth = last.heap->growth_since(*compared.first->heap, between, make_options(options));
  // If nothing grew, people still want to see the large parts, so this is not an error.
  const bool has_growth = !growth.suspects.empty();
  Answer answer = has_growth ? make_empty(last.snapshot) : find_large(options, last, std::nullopt);
  if (has_growth) {
    add_growth_facts(growth.by, compared, answer);
    answer.facts.emplace_back("smaller", growth.smaller);
    add_suspects(*last.heap, growth.suspects, growth.new_sizes, options.most_rows(), answer);
    if (growth.smaller != 0) *answer.text += "\n" + describe_smaller(growth.smaller, options);
    *answer.text += describe_estimate(growth.by, growth.doubt, last.graph());
  } else if (growth.size == 0) {
    answer.text =
        "Nothing is new in the last snapshot; these are the suspects in the whole heap:\n\n" + *answer.text;
  } else {
    answer.text = fmt::format(
        "No part retains {} % of what is new in the last snapshot; {}these are the suspects in the whole "
        "heap:\n\n{}",
        options.count("share"), describe_smaller(growth.smaller, options), *answer.text);
  }
  add_doubt(growth.doubt, growth.by, compared, answer);
  add_suspect_outcomes(options, *last.heap, growth.suspects, true, compared.last_file, answer);
  return answer;
}

class Suspects final : public ComparingMaker {
 public:
  explicit Suspects(Options options) : options_(std::move(options)) {}

 private:
  [[nodiscard]] Answer answer_nothing() const override { return make_empty({}); }
  [[nodiscard]] Answer answer_one(const AskedHeap& asked, const std::string& file) const override {
    return find_large(options_, asked, file);
  }
  [[nodiscard]] Answer answer_growth(const Compared& compared) const override {
    return find_growth(options_, compared);
  }

  Options options_;
};

}  // namespace

std::unique_ptr<AnswerMaker> make_suspects(const Options& options) {
  return std::make_unique<Suspects>(options);
}

}  // namespace heapcheck::analyze::answers
