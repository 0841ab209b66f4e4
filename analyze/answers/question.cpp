#include "analyze/answers/question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ranges>
#include <utility>

#include "analyze/answers/guard.hpp"
#include "analyze/answers/rows.hpp"
#include "analyze/answers/suspect_conditions.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/core/text/nearest.hpp"
#include "formats/core/text/parse_number.hpp"

namespace heapcheck::analyze::answers {
namespace {

Result<Answer> call(Result<Answer> (*answer)(const Options&, const Asked&), const Options& options,
                    const Asked& asked) {
  return answer(options, asked);
}

Result<Answer> call(Result<Answer> (*answer)(const Options&, const AskedHeap&), const Options& options,
                    const Asked& asked) {
  const auto heap = make_asked(asked);
  if (!heap) return std::unexpected(heap.error());
  return answer(options, *heap);
}

/// Whether a question about a graph has an answer without rows if a trace has no heap dump. Questions about a
/// node have no answer, because there is no such node.
enum class WithoutGraph : std::uint8_t { no_rows, no_answer };

/// Answers a question about one snapshot as soon as the snapshot is added, so that its graph is freed when it
/// is no longer needed.
template <auto answer, WithoutGraph without_graph>
class OneSnapshot final : public AnswerMaker {
 public:
  explicit OneSnapshot(Options options) : options_(std::move(options)) {}

  Result<void> add(const Asked& asked) override {
    if (without_graph == WithoutGraph::no_rows && !asked.lack.empty()) {
      answer_ = Answer{.facts = make_facts(asked)};
      return {};
    }
    auto made = call(answer, options_, asked);
    if (!made) return std::unexpected(made.error());
    answer_ = std::move(*made);
    return {};
  }
  Result<Answer> finish() override {
    if (!answer_) return refuse("has no snapshot");
    return std::move(*answer_);
  }

 private:
  Options options_;
  std::optional<Answer> answer_;
};

template <auto answer>
std::unique_ptr<AnswerMaker> about_one(const Options& options) {
  return std::make_unique<OneSnapshot<answer, WithoutGraph::no_answer>>(options);
}

template <auto answer>
std::unique_ptr<AnswerMaker> about_graph(const Options& options) {
  return std::make_unique<OneSnapshot<answer, WithoutGraph::no_rows>>(options);
}

constexpr OptionRule forced{.name = "force"};
constexpr OptionRule limit{.name = "limit", .kind = OptionKind::count, .most = UINT32_MAX};
constexpr OptionRule snapshot{.name = "snapshot", .kind = OptionKind::count, .most = UINT32_MAX};
constexpr OptionRule snapshots{.name = "snapshots", .kind = OptionKind::text};

constexpr OptionRule required_text(std::string_view name) {
  return {.name = name, .kind = OptionKind::text, .is_required = true};
}
constexpr OptionRule percentage(std::string_view name, std::string_view fallback) {
  return {.name = name, .kind = OptionKind::count, .least = 1, .most = 100, .fallback = fallback};
}
constexpr OptionRule what_to_count{
    .name = "of",
    .kind = OptionKind::text,
    .choices = "objects types stables frames closures kinds strings allocators"};
constexpr OptionRule order_of_changes(std::string_view fallback) {
  return {.name = "by",
          .kind = OptionKind::text,
          .fallback = fallback,
          .choices = "count size retained cumulative"};
}
constexpr OptionRule conditions{.name = "fail-on", .kind = OptionKind::list};
constexpr OptionRule strict_names{.name = "strict-names"};

constexpr OptionRule process{.name = "process", .kind = OptionKind::text};

constexpr OptionRule summary_options[] = {
    {.name = "every", .kind = OptionKind::count, .least = 1, .fallback = "1"}, process};
constexpr OptionRule suspects_options[] = {percentage("share", "20"), percentage("drop", "70"), conditions};
constexpr OptionRule leaks_options[] = {percentage("share", "1"), conditions};
constexpr OptionRule top_options[] = {
    required_text("what"), {.name = "order", .kind = OptionKind::text}, process};
constexpr OptionRule tree_options[] = {{.name = "inverted"}, process};
constexpr OptionRule query_options[] = {required_text("query")};
constexpr OptionRule node_options[] = {required_text("id")};
constexpr OptionRule path_options[] = {
    required_text("id"),
    {.name = "paths", .kind = OptionKind::count, .least = 1, .most = 1000, .fallback = "1"},
    {.name = "merged"}};
constexpr OptionRule dominators_options[] = {{.name = "id", .kind = OptionKind::text, .fallback = "row:0"},
                                             {.name = "by-type"}};
constexpr OptionRule diff_options[] = {what_to_count, order_of_changes("retained"), conditions, strict_names,
                                       process};
constexpr OptionRule growth_options[] = {what_to_count, order_of_changes("size"), conditions, strict_names,
                                         process};

constexpr OptionRule assert_options[] = {{.name = "rule", .kind = OptionKind::list, .is_required = true},
                                         {.name = "known", .kind = OptionKind::list}};

constexpr Question table[] = {
    {"summary", Which::all, summary_options, make_summary},
    {"suspects", Which::first_and_last, suspects_options, make_suspects, check_suspect_conditions},
    {"leaks", Which::first_and_last, leaks_options, make_leaks, check_suspect_conditions},
    {"top", Which::last, top_options, about_one<answer_top>, check_order},
    {"tree", Which::last, tree_options, about_one<answer_tree>},
    {"find", Which::last, query_options, about_graph<answer_find>, check_query},
    {"count", Which::last, query_options, about_graph<answer_count>, check_query},
    {"show", Which::last, node_options, about_one<answer_show>},
    {"path", Which::last, path_options, about_one<answer_path>, check_merged},
    {"retainers", Which::last, node_options, about_one<answer_retainers>},
    {"retained", Which::last, {}, about_graph<answer_retained>},
    {"dominators", Which::last, dominators_options, about_graph<answer_dominators>},
    {"unreachable", Which::last, {}, about_graph<answer_unreachable>},
    {"duplicates", Which::last, {}, about_graph<answer_duplicates>},
    {"diff", Which::listed, diff_options, make_diff, check_conditions},
    {"growth", Which::all_of_several, growth_options, make_growth, check_conditions},
    {"assert", Which::all_of_several, assert_options, make_assert, check_rules},
};

std::unexpected<Error> refuse_list(std::string_view list, std::size_t least) {
  const std::vector<std::string> words = {"all"};
  return refuse(fmt::format("--snapshots: found {}, expected all, or {} or more numbers such as 0,3{}", list,
                            least == 1 ? "one" : "two", core::suggest_word(words, list)));
}

/// The snapshots that LIST names, such as `0,3` or `all`. There must be at least `least` of them.
Result<Selection> parse_list(std::string_view list, std::size_t least) {
  if (list == "all") return Selection{.which = Which::all};
  Selection selection;
  for (const auto part : std::views::split(list, ',')) {
    const auto index = core::parse_number({part.begin(), part.end()});
    if (!index) return refuse_list(list, least);
    selection.listed.push_back(*index);
  }
  if (selection.listed.size() < least) return refuse_list(list, least);
  return selection;
}

Result<Selection> select_listed(const Options& options, std::size_t dump_count) {
  const auto list = options.find<std::string>("snapshots");
  if (list && dump_count == 1) return parse_list(*list, 2);
  if (list || dump_count < 2 || dump_count > 3)
    return refuse(fmt::format("found {}{}, expected two or three files, or one file and --snapshots",
                              core::counted(dump_count, "file"), list ? " and --snapshots" : ""));
  return Selection{};
}

Result<Selection> select(const Question& question, const Options& options, std::size_t dump_count) {
  if (question.which == Which::listed) return select_listed(options, dump_count);
  const bool takes_several =
      question.which == Which::first_and_last || question.which == Which::all_of_several;
  if (dump_count == 0 || (dump_count > 1 && !takes_several))
    return refuse(fmt::format("found {}, expected {}", core::counted(dump_count, "dump"),
                              takes_several ? "at least one" : "one"));
  if (const auto list = options.find<std::string>("snapshots")) {
    if (dump_count == 1) return parse_list(*list, 1);
    return refuse(
        fmt::format("found {} and snapshots, expected one dump", core::counted(dump_count, "dump")));
  }
  if (const auto index = options.find<std::uint64_t>("snapshot")) return Selection{.listed = {*index}};
  const bool has_several = question.which == Which::first_and_last && dump_count > 1;
  return Selection{.which = has_several ? Which::last : question.which};
}

}  // namespace

Result<AskedHeap> make_asked(const Asked& asked) {
  if (asked.heap != nullptr) return AskedHeap{asked.format, asked.snapshot, asked.heap, asked.recording};
  if (!asked.lack.empty()) return refuse(asked.lack);
  if (family_of(asked.format) == Family::trace)
    return refuse(
        "a Chrome heap dump has no object graph; summary, top, tree, diff and growth "
        "answer questions about its stacks");
  auto graph = asked.make_graph();
  if (!graph) return std::unexpected(graph.error());
  return AskedHeap{asked.format, asked.snapshot, std::make_shared<const Heap>(std::move(*graph)),
                   asked.recording};
}

std::span<const Question> all_questions() { return table; }

std::vector<OptionRule> options_of(const Question& question) {
  std::vector<OptionRule> rules(question.options.begin(), question.options.end());
  const bool compares = question.which == Which::listed || question.which == Which::all_of_several;
  rules.push_back(compares ? snapshots : snapshot);
  rules.insert(rules.end(), {limit, forced});
  return rules;
}

Result<const Question*> find_question(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Question::name);
  if (found != std::end(table)) return &*found;
  std::vector<std::string> names;
  for (const Question& question : table) names.emplace_back(question.name);
  return refuse(fmt::format("found the question \"{}\", expected {}{}", core::make_excerpt(name),
                            core::join_words(names, "or"), core::suggest_word(names, name)));
}

Result<Answer> Inquiry::finish() const {
  auto answer = maker->finish();
  if (answer && answer->is_limited) answer->limit = most_rows;
  return answer;
}

Result<Inquiry> begin(std::string_view question, const OptionValues& values, std::size_t dump_count) {
  const auto found = find_question(question);
  if (!found) return std::unexpected(found.error());
  const auto options = Options::make(options_of(**found), values);
  if (!options) return std::unexpected(options.error());
  auto selection = select(**found, *options, dump_count);
  if (!selection) return std::unexpected(selection.error());
  selection->is_forced = options->flag("force");
  selection->compares_processes = (*found)->which == Which::listed;
  selection->process = options->find<std::string>("process");
  if ((*found)->check != nullptr) {
    if (const auto checked = (*found)->check(*options); !checked) return std::unexpected(checked.error());
  }
  return Inquiry{(*found)->make(*options), std::move(*selection), options->most_rows()};
}

Result<Answer> ask(std::string_view question, const OptionValues& values, const Asked& asked) {
  const auto found = find_question(question);
  if (!found) return std::unexpected(found.error());
  if ((*found)->which == Which::listed || (*found)->which == Which::all_of_several)
    return refuse(fmt::format("{} compares several snapshots", question));
  const auto options = Options::make(options_of(**found), values);
  if (!options) return std::unexpected(options.error());
  // Strings are not checked in advance, because the question can check them better once it has the snapshot.
  const Inquiry inquiry{.maker = (*found)->make(*options), .most_rows = options->most_rows()};
  if (const auto added = inquiry.maker->add(asked); !added) return std::unexpected(added.error());
  return inquiry.finish();
}

}  // namespace heapcheck::analyze::answers
