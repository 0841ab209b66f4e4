#include "analyze/answers/guard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyze/answers/conditions.hpp"
#include "analyze/answers/doubts.hpp"
#include "analyze/answers/leak_watch.hpp"
#include "analyze/answers/rows.hpp"
#include "analyze/answers/suspect_rows.hpp"
#include "analyze/answers/write.hpp"
#include "analyze/guard.hpp"
#include "analyze/query.hpp"
#include "analyze/whole_number.hpp"
#include "formats/core/checked.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::analyze::answers {
namespace {

using Outcome = CheckedCondition::Outcome;

Result<std::vector<GuardRule>> parse_rules(const Options& options) {
  std::vector<GuardRule> rules;
  for (const std::string& text : options.get<std::vector<std::string>>("rule")) {
    auto rule = parse_guard_rule(text);
    if (!rule) return refuse(std::move(rule.error().message));
    rules.push_back(std::move(*rule));
  }
  if (rules.empty()) return refuse("found no rules, expected at least one");
  return rules;
}

/// What a rule measured in each snapshot.
struct Measured {
  std::vector<double> values;
  double whole = 0;  ///< the same for the whole heap, in the last snapshot
  bool is_empty = true;
  std::optional<std::string> unknown = {};  ///< why the query may be misspelt, in the last snapshot
};

struct Judged {
  Outcome outcome{};
  std::string text = {};
  std::string details = {};
  std::string fingerprint = {};
  Cell path = {};
};

std::string show_guard_number(double number, TopBy by) {
  const std::uint64_t whole = make_whole(number);
  return by == TopBy::count ? core::counted(whole, "node") : show_bytes(whole);
}

std::string_view name_what(TopBy by) {
  if (by == TopBy::retained) return " retained";
  return by == TopBy::size ? " of size" : "";
}

/// `5 % (3.0 MiB)`, or `3.0 MiB`.
std::string show_amount(const GuardRule& rule, double whole) {
  const std::string number = show_guard_number(resolve(rule.amount, whole), rule.by);
  return rule.amount.is_percentage ? fmt::format("{:g} % ({})", rule.amount.number, number) : number;
}

std::string show_values(const Measured& measured, TopBy by) {
  std::vector<std::string> values;
  for (const double value : measured.values) values.push_back(show_guard_number(value, by));
  return core::join_words(values, "and");
}

/// A rise may be a fraction of a node, or of a byte.
std::string show_rise(double rise, TopBy by) {
  if (by == TopBy::count && rise != std::floor(rise)) return fmt::format("{:.1f} nodes", rise);
  return show_guard_number(std::ceil(rise), by);
}

Judged need_snapshots(std::size_t found, std::string_view expected) {
  return {.outcome = Outcome::undecided,
          .text = fmt::format("found {}, expected {}", core::counted(found, "snapshot"), expected)};
}

Judged check_last(const GuardRule& rule, const Measured& measured) {
  const double value = measured.values.back();
  const bool is_absent = rule.requirement == Requirement::absent;
  const double most = is_absent ? 0 : resolve(rule.amount, measured.whole);
  if (value <= most) return {.outcome = Outcome::holds};
  return {
      .outcome = Outcome::violated,
      .text = fmt::format("found {}{}, expected {}", show_guard_number(value, rule.by), name_what(rule.by),
                          is_absent ? "none" : "at most " + show_amount(rule, measured.whole))};
}

Judged check_rise(const GuardRule& rule, const Measured& measured) {
  const std::vector<double>& values = measured.values;
  if (values.size() < 3) return need_snapshots(values.size(), "at least three");
  const auto is_flat = [&](double before, double after) {
    return after - before <= resolve(rule.amount, before);
  };
  if (std::ranges::adjacent_find(values, is_flat) != values.end()) return {.outcome = Outcome::holds};
  const std::string most =
      rule.amount.number == 0
          ? ""
          : fmt::format(" of more than {}", rule.amount.is_percentage
                                                ? fmt::format("{:g} %", rule.amount.number)
                                                : show_guard_number(rule.amount.number, rule.by));
  return {.outcome = Outcome::violated,
          .text = fmt::format("found {}{}, expected no rise{} in every step", show_values(measured, rule.by),
                              name_what(rule.by), most)};
}

Judged check_slope(const GuardRule& rule, const Measured& measured) {
  const std::vector<double>& values = measured.values;
  if (values.size() < 2) return need_snapshots(values.size(), "at least two");
  const double slope = find_slope(values);
  if (slope <= resolve(rule.amount, values.front())) return {.outcome = Outcome::holds};
  return {.outcome = Outcome::violated,
          .text = fmt::format("found a rise of {}{} for each snapshot ({}), expected at most {}",
                              show_rise(slope, rule.by), name_what(rule.by), show_values(measured, rule.by),
                              show_amount(rule, values.front()))};
}

/// The answer without conditions.
Answer make_empty_guard() {
  return {.table = {.key = "conditions",
                    .columns = {{"condition", "Condition"},
                                {"outcome", "Outcome"},
                                {"file", ""},
                                {"text", "Text"},
                                {"fingerprint", ""},
                                {"values", ""},
                                {"path", ""}}},
          .text = ""};
}

/// Whether snapshots with this doubt cannot show what grows.
bool hides_growth(GrowthDoubt doubt) {
  return doubt == GrowthDoubt::same_heap || doubt == GrowthDoubt::out_of_order;
}

class Guard final : public AnswerMaker {
 public:
  explicit Guard(const Options& options) : known_(options.get<std::vector<std::string>>("known")) {
    if (auto rules = parse_rules(options)) rules_ = std::move(*rules);
    most_rows_ = options.most_rows();
  }

  Result<void> add(const Asked& asked) override {
    if (!asked.lack.empty()) return refuse(asked.lack);
    const auto heap = make_asked(asked);
    if (!heap) return std::unexpected(heap.error());
    if (!first_) {
      first_ = {asked.file, asked.format};
      if (auto chosen = choose_rules(asked.format); !chosen) return chosen;
    }
    if (auto checked = check_comparable(*first_, asked.format); !checked) return checked;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      if (auto done = measure(rules_[i], *heap->heap, measured_[i]); !done) return done;
    }
    if (last_) add_step(*heap);
    last_ = *heap;
    file_ = asked.file;
    positions_.push_back({asked.file, std::string(slug_of(asked.format)), asked.snapshot});
    return {};
  }

  Result<Answer> finish() override {
    if (!last_) return refuse("has no snapshot");
    Answer answer = make_empty_guard();
    answer.facts.emplace_back(
        "snapshots",
        std::vector{Table{.key = "snapshots",
                          .columns = {{"file", "File"}, {"format", "Format"}, {"snapshot", "Snapshot"}},
                          .rows = positions_}});
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      for (Judged& judged : check(rules_[i], measured_[i]))
        add_judged(rules_[i], measured_[i], std::move(judged), answer);
      add_unknown(rules_[i], measured_[i], answer);
    }
    const std::string doubt(describe(doubt_, last_->graph().rules));
    const bool is_said =
        std::ranges::find(answer.conditions, doubt, &CheckedCondition::text) != answer.conditions.end();
    if (doubt_ != GrowthDoubt::none && !is_said) answer.remarks.push_back({Remark::Kind::note, doubt});
    answer.text = show_conditions(answer.conditions, most_rows_);
    return answer;
  }

 private:
  /// Keeps the rules for this format. Errors: unsupported if there are none, because a guard that checks
  /// nothing must not look like a heap that meets all rules.
  Result<void> choose_rules(Format format) {
    const Family family = family_of(format);
    std::erase_if(rules_, [&](const GuardRule& rule) { return rule.family.value_or(family) != family; });
    measured_.resize(rules_.size());
    if (!rules_.empty()) return {};
    return refuse(fmt::format("found no rule for a {}, expected at least one", title_of(format)));
  }

  static Result<void> measure(const GuardRule& rule, const Heap& heap, Measured& measured) {
    if (rule.requirement == Requirement::no_new_leak) return {};
    const auto nodes = heap.find(rule.query);
    if (!nodes) return std::unexpected(nodes.error());
    const NodeTotals total = heap.total();
    std::uint64_t value = nodes->size();
    if (rule.by == TopBy::retained) value = heap.retained_by(*nodes);
    if (rule.by == TopBy::size) {
      value = 0;
      for (const std::uint32_t node : *nodes)
        value = core::saturating_add(value, heap.graph().node_size[node]);
    }
    const std::uint64_t whole = rule.by == TopBy::count  ? total.count
                                : rule.by == TopBy::size ? total.size
                                                         : total.retained;
    measured.values.push_back(static_cast<double>(value));
    measured.whole = static_cast<double>(whole);
    measured.is_empty = measured.is_empty && nodes->empty();
    const auto query = parse_query(rule.query);
    const auto checked = query && nodes->empty() ? check_texts(heap.graph(), *query) : Result<void>();
    measured.unknown = checked ? std::nullopt : std::optional(checked.error().message);
    return {};
  }

  /// Adds the leaks that grow from the last snapshot to this one.
  void add_step(const AskedHeap& next) {
    const Relation relation = find_dump_relation(last_->heap->nodes_by_id(), last_->recording,
                                                 next.heap->nodes_by_id(), next.recording);
    if (!hides_growth(doubt_) && (doubt_ == GrowthDoubt::none || hides_growth(relation.doubt)))
      doubt_ = relation.doubt;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      if (rules_[i].requirement != Requirement::no_new_leak) continue;
      const auto watch = watches_.try_emplace(i, rules_[i].amount).first;
      watch->second.add_step(*last_, next, relation.share_ids);
    }
  }

  [[nodiscard]] std::vector<Judged> check(const GuardRule& rule, const Measured& measured) const {
    const bool is_about_last =
        rule.requirement == Requirement::absent || rule.requirement == Requirement::at_most;
    if (!is_about_last && hides_growth(doubt_))
      return {{.outcome = Outcome::undecided, .text = std::string(describe(doubt_, last_->graph().rules))}};
    if (rule.requirement == Requirement::no_new_leak) return check_leaks(rule);
    if (rule.requirement == Requirement::not_rising) return {check_rise(rule, measured)};
    if (rule.requirement == Requirement::slope_at_most) return {check_slope(rule, measured)};
    return {check_last(rule, measured)};
  }

  [[nodiscard]] std::vector<Judged> check_leaks(const GuardRule& rule) const {
    if (positions_.size() < 2) return {need_snapshots(positions_.size(), "at least two")};
    std::vector<Judged> judged;
    for (GrowingLeak& leak : watches_.at(static_cast<std::size_t>(&rule - rules_.data())).find()) {
      if (std::ranges::find(known_, leak.fingerprint) != known_.end()) continue;
      judged.push_back({.outcome = Outcome::violated,
                        .text = fmt::format("found a leak that grew by {}, expected none: {}",
                                            show_bytes(leak.growth), leak.reason),
                        .details = std::move(leak.shown_path),
                        .fingerprint = std::move(leak.fingerprint),
                        .path = std::vector{std::move(leak.path)}});
    }
    if (judged.empty()) judged.push_back({.outcome = Outcome::holds});
    return judged;
  }

  void add_judged(const GuardRule& rule, const Measured& measured, Judged judged, Answer& answer) const {
    if (judged.outcome == Outcome::violated && !rule.query.empty()) add_largest(rule, judged);
    std::vector<std::uint64_t> values;
    for (const double value : measured.values) values.push_back(make_whole(value));
    answer.table.rows.push_back({rule.text, std::string(name_of(judged.outcome)), file_, judged.text,
                                 judged.fingerprint.empty() ? Cell() : Cell(judged.fingerprint),
                                 std::move(values), std::move(judged.path)});
    answer.conditions.push_back({.condition = rule.text,
                                 .outcome = judged.outcome,
                                 .file = file_,
                                 .text = std::move(judged.text),
                                 .details = std::move(judged.details),
                                 .fingerprint = std::move(judged.fingerprint)});
  }

  /// Adds the path to the largest node that matches the rule.
  void add_largest(const GuardRule& rule, Judged& judged) const {
    const Heap& heap = *last_->heap;
    const auto nodes = heap.find(rule.query);
    if (!nodes || nodes->empty()) return;
    const auto sizes = heap.retained_sizes();
    const std::uint32_t largest =
        *std::ranges::max_element(*nodes, {}, [&](std::uint32_t n) { return sizes[n]; });
    const std::vector<PathStep> path = heap.path_to(largest);
    judged.details = show_path_to(heap.graph(), path, sizes);
    Table steps = make_steps(heap.graph(), path, sizes);
    steps.key = "path";
    judged.path = std::vector{std::move(steps)};
  }

  /// Says that a rule holds only because nothing has the name in its query, which may be misspelt.
  static void add_unknown(const GuardRule& rule, const Measured& measured, Answer& answer) {
    if (rule.requirement == Requirement::absent || !measured.is_empty || !measured.unknown) return;
    answer.remarks.push_back(
        {Remark::Kind::note, fmt::format("{}: {}", core::shorten(rule.text, SIZE_MAX), *measured.unknown)});
  }

  std::vector<GuardRule> rules_;
  std::vector<Measured> measured_;            ///< of each rule
  std::map<std::size_t, LeakWatch> watches_;  ///< by rule
  std::vector<std::string> known_;            ///< fingerprints
  std::size_t most_rows_ = SIZE_MAX;
  std::optional<FirstDump> first_;
  std::optional<AskedHeap> last_;
  std::string file_;  ///< of the last snapshot
  GrowthDoubt doubt_{};
  std::vector<std::vector<Cell>> positions_;
};

}  // namespace

Result<void> check_rules(const Options& options) {
  const auto rules = parse_rules(options);
  return rules ? Result<void>() : std::unexpected(rules.error());
}

std::unique_ptr<AnswerMaker> make_assert(const Options& options) { return std::make_unique<Guard>(options); }

}  // namespace heapcheck::analyze::answers
