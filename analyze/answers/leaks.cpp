// The question about what leaks, and along which paths: leaks.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "analyze/answers/question.hpp"
#include "analyze/answers/rows.hpp"
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

void add_leaks(const Heap& heap, const FoundLeaks& found, bool is_growth, std::size_t most, Answer& answer) {
  const Graph& graph = heap.graph();
  for (const Suspect& leak : found.leaks) {
    if (answer.table.rows.size() == most) break;
    const std::string reason = make_leak_reason(graph, leak, is_growth);
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

Answer find_leaks_in_one(const Options& options, const AskedHeap& asked) {
  const FoundLeaks found = asked.heap->leaks(make_leak_options(options));
  Answer answer = make_leaks_answer(asked, found);
  if (asked.graph().edge_count() == 0) {
    answer.text = "the snapshot has no edges, so nothing shows what holds its nodes\n";
    return answer;
  }
  add_leaks(*asked.heap, found, false, options.most_rows(), answer);
  if (answer.table.rows.empty())
    answer.text = fmt::format("nothing retains {} % of the heap\n", options.count("share"));
  answer.remarks.push_back(
      {Remark::Kind::note, "one snapshot shows what is large, but not what leaks; a later one shows that"});
  return answer;
}

Answer find_leaks_since(const Options& options, const Compared& compared) {
  const AskedHeap& last = *compared.last;
  const NodesById* const between = compared.between ? &*compared.between : nullptr;
  const FoundLeaks found = last.heap->leaks_since(*compared.first->heap, between, make_leak_options(options));
  Answer answer = make_leaks_answer(last, found);
  answer.facts.emplace_back("since", compared.first->snapshot);
  answer.facts.emplace_back("by", found.by == GrowthBy::id ? "id" : "type");
  answer.text = fmt::format("{} of the last snapshot is new\n\n", show_bytes(found.size));
  add_leaks(*last.heap, found, true, options.most_rows(), answer);
  if (answer.table.rows.empty())
    answer.text = found.size == 0 ? std::string("nothing is new in the last snapshot\n")
                                  : fmt::format("nothing retains {} % of what is new in the last snapshot\n",
                                                options.count("share"));
  const bool has_ids = last.graph().rules == RetentionRules::devtools;
  if (found.by == GrowthBy::type && (found.doubt != GrowthDoubt::other_process || !has_ids))
    *answer.text +=
        "\nWhat is new was estimated by types: the dump does not say which nodes are the same ones.\n";
  add_doubt(found.doubt, found.by, compared, answer);
  return answer;
}

class Leaks final : public AnswerMaker {
 public:
  explicit Leaks(Options options) : options_(std::move(options)) {}

  Result<void> add(const Asked& asked) override {
    if (family_of(asked.format) == Family::v8_heapprofile)
      return refuse(
          fmt::format("a {} has no paths to objects, only call stacks; tree shows the stacks that "
                      "allocated the most memory",
                      title_of(asked.format)));
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
    if (!compared_.first) return make_empty_leaks({});  // of a trace without heap dumps
    return compared_.last ? find_leaks_since(options_, compared_)
                          : find_leaks_in_one(options_, *compared_.first);
  }

 private:
  Options options_;
  std::optional<FirstDump> first_;
  Compared compared_;
};

}  // namespace

std::unique_ptr<AnswerMaker> make_leaks(const Options& options) { return std::make_unique<Leaks>(options); }

}  // namespace heapcheck::analyze::answers
