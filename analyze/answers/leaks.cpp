// The question about leaks and the paths to them: leaks.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyze/answers/question.hpp"
#include "analyze/answers/rows.hpp"
#include "analyze/answers/suspect_conditions.hpp"
#include "analyze/answers/suspect_rows.hpp"
#include "analyze/answers/write.hpp"
#include "analyze/suspects.hpp"

namespace heapcheck::analyze::answers {
namespace {

constexpr std::size_t most_ids = 100;

SuspectOptions make_leak_options(const Options& options) {
  return {.least_share = static_cast<double>(options.count("share")) / 100};
}

/// The answer without leaks. `snapshot` is its index, if the dump has one.
Answer make_empty_leaks(Cell snapshot) {
  return {.facts = {{"snapshot", std::move(snapshot)}},
          .table = {.key = "leaks",
                    .columns = {{"fingerprint", "Fingerprint"},
                                {"count", "Count", Unit::count},
                                {"name", "Name"},
                                {"retained", "Retained", Unit::bytes},
                                {"share", "Share", Unit::percent},
                                {"reason", "Reason"},
                                {"way", "Way"},
                                {"owner", "Owner"},
                                {"ids", ""},
                                {"path", ""}}},
          .text = ""};
}

Answer make_leaks_answer(const AskedHeap& asked, const FoundLeaks& found) {
  Answer answer = make_empty_leaks(asked.snapshot);
  answer.facts.emplace_back("size", found.size);
  return answer;
}

/// Adds the outcomes of the conditions, which concern all leaks, whatever the limit.
void add_conditions(const Options& options, const Heap& heap, const FoundLeaks& found, bool is_growth,
                    const std::string& file, Answer& answer) {
  std::vector<DescribedSuspect> described;
  for (const Suspect& leak : found.leaks)
    described.push_back({.suspect = &leak,
                         .reason = make_reason(heap.graph(), leak, is_growth, SuspectForm::leak),
                         .path = show_path_to(heap.graph(), leak.path, heap.suspect_sizes())});
  add_suspect_conditions(options, described, file, answer);
}

void add_leaks(const Heap& heap, const FoundLeaks& found, bool is_growth, std::size_t most, Answer& answer) {
  const Graph& graph = heap.graph();
  for (const Suspect& leak : found.leaks) {
    if (answer.table.rows.size() == most) break;
    const std::string reason = make_reason(graph, leak, is_growth, SuspectForm::leak);
    Table path = make_steps(graph, leak.path, heap.suspect_sizes());
    path.key = "path";
    const std::span<const std::uint32_t> nodes(leak.nodes);
    answer.table.rows.push_back({leak.fingerprint, std::uint64_t{leak.nodes.size()}, leak.type, leak.retained,
                                 leak.share, reason, leak.way, std::string(analyze::name_of(leak.owner)),
                                 list_ids(graph, nodes.first(std::min(most_ids, nodes.size()))),
                                 std::vector{std::move(path)}});
    *answer.text += describe_suspect(leak, answer.table.rows.size(), reason) +
                    show_path_to(graph, leak.path, heap.suspect_sizes());
  }
  const std::size_t left_out = found.leaks.size() - answer.table.rows.size();
  if (left_out != 0) *answer.text += fmt::format("\nand {} more; --limit N shows N leaks\n", left_out);
}

Answer find_leaks_in_one(const Options& options, const AskedHeap& asked, const std::string& file) {
  const FoundLeaks found = asked.heap->leaks(make_leak_options(options));
  Answer answer = make_leaks_answer(asked, found);
  if (asked.graph().edge_count() == 0) {
    answer.text = no_edges;
    return answer;
  }
  add_leaks(*asked.heap, found, false, options.most_rows(), answer);
  if (answer.table.rows.empty())
    answer.text = fmt::format("nothing retains {} % of the heap\n", options.count("share"));
  answer.remarks.push_back(
      {Remark::Kind::note,
       "a single snapshot shows what is large, but not what leaks; add a later snapshot to see that"});
  add_conditions(options, *asked.heap, found, false, file, answer);
  return answer;
}

Answer find_leaks_since(const Options& options, const Compared& compared) {
  const AskedHeap& last = *compared.last;
  const NodesById* const between = compared.between ? &*compared.between : nullptr;
  const FoundLeaks found = last.heap->leaks_since(*compared.first->heap, between, make_leak_options(options));
  Answer answer = make_leaks_answer(last, found);
  add_growth_facts(found.by, compared, answer);
  answer.text = fmt::format("{} of the last snapshot is new\n\n", show_bytes(found.size));
  add_leaks(*last.heap, found, true, options.most_rows(), answer);
  if (answer.table.rows.empty())
    answer.text = found.size == 0 ? std::string("nothing is new in the last snapshot\n")
                                  : fmt::format("nothing retains {} % of what is new in the last snapshot\n",
                                                options.count("share"));
  *answer.text += describe_estimate(found.by, found.doubt, last.graph());
  add_doubt(found.doubt, found.by, compared, answer);
  add_conditions(options, *last.heap, found, true, compared.last_file, answer);
  return answer;
}

class Leaks final : public ComparingMaker {
 public:
  explicit Leaks(Options options) : options_(std::move(options)) {}

 private:
  [[nodiscard]] Result<void> check_format(Format format) const override {
    if (family_of(format) != Family::v8_heapprofile) return {};
    return refuse(
        fmt::format("a {} has no paths to objects, only call stacks; tree shows the stacks that "
                    "allocated the most memory",
                    title_of(format)));
  }
  [[nodiscard]] Answer answer_nothing() const override { return make_empty_leaks({}); }
  [[nodiscard]] Answer answer_one(const AskedHeap& asked, const std::string& file) const override {
    return find_leaks_in_one(options_, asked, file);
  }
  [[nodiscard]] Answer answer_growth(const Compared& compared) const override {
    return find_leaks_since(options_, compared);
  }

  Options options_;
};

}  // namespace

std::unique_ptr<AnswerMaker> make_leaks(const Options& options) { return std::make_unique<Leaks>(options); }

}  // namespace heapcheck::analyze::answers
