// The questions about several snapshots: diff and growth.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "analyze/answers/question.hpp"
#include "analyze/answers/rows.hpp"
#include "analyze/answers/write.hpp"
#include "analyze/differences.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/core/text/nearest.hpp"

namespace heapcheck::analyze::answers {
namespace {

/// A number that can be compared, and its name for people.
struct Field {
  std::string_view key;
  std::string_view label;
  TopBy by;
};
using Fields = std::array<Field, 3>;
constexpr Fields node_fields = {{{"count", "Count", TopBy::count},
                                 {"size", "Size", TopBy::size},
                                 {"retained", "Retained", TopBy::retained}}};
constexpr Fields stack_fields = {{{"count", "Count", TopBy::count},
                                  {"size", "Size", TopBy::size},
                                  {"cumulative", "Cumulative", TopBy::retained}}};

std::string_view key_of(const Fields& fields, TopBy by) {
  return std::ranges::find(fields, by, &Field::by)->key;
}

std::string_view name_of(Trend trend) {
  switch (trend) {
    case Trend::same:
      return "same";
    case Trend::added:
      return "new";
    case Trend::gone:
      return "gone";
    case Trend::grown:
      return "grown";
    case Trend::shrunk:
      return "shrunk";
    case Trend::rising:
      break;
  }
  return "rising";
}

std::string show_value(std::uint64_t value, TopBy by) {
  return by == TopBy::count ? show_count(value) : show_bytes(value);
}

/// A change in a form for people: `+1,234`, `-5.0 KiB` or `0`.
std::string show_change(const Totals& from, const Totals& to, TopBy by) {
  const std::uint64_t first = value_of(from, by);
  const std::uint64_t last = value_of(to, by);
  if (first == last) return "0";
  return last > first ? "+" + show_value(last - first, by) : "-" + show_value(first - last, by);
}

/// Which numbers the text shows for each field: either the last number and the change from each snapshot to
/// the next, or the first number, the last number and the change between them.
enum class Shown : std::uint8_t { steps, ends };

std::vector<std::string> show_field(const std::vector<Totals>& totals, TopBy by, Shown shown) {
  const std::string last = show_value(value_of(totals.back(), by), by);
  if (shown == Shown::ends)
    return {show_value(value_of(totals.front(), by), by), last,
            show_change(totals.front(), totals.back(), by)};
  std::vector<std::string> cells = {last};
  for (std::size_t i = 1; i < totals.size(); ++i) cells.push_back(show_change(totals[i - 1], totals[i], by));
  return cells;
}

/// For each field, a list for programs and the columns of the text.
std::vector<Column> make_columns(const Fields& fields, std::size_t snapshot_count, Shown shown) {
  std::vector<Column> columns = {{"name", "Name"}, {"trend", "Trend"}};
  for (const Field& field : fields) {
    columns.push_back({.key = field.key, .label = {}, .length = snapshot_count});
    columns.push_back({"", field.label, Unit::number});
    if (shown == Shown::ends) columns.push_back({"", "Last", Unit::number});
    const std::size_t change_count = shown == Shown::ends ? 1 : snapshot_count - 1;
    columns.insert(columns.end(), change_count, {"", "Change", Unit::number});
  }
  columns.push_back({"place", "", Unit::place});
  return columns;
}

std::vector<Cell> make_series_row(const Series& series, TopBy by, Shown shown, bool has_counts) {
  std::vector<Cell> row = {series.name, std::string(name_of(find_trend(series, by)))};
  for (const Field& field : node_fields) {
    if (field.by == TopBy::count && !has_counts) {
      row.resize(row.size() + 1 + show_field(series.totals, field.by, shown).size());
      continue;
    }
    std::vector<std::uint64_t> values;
    for (const Totals& totals : series.totals) values.push_back(value_of(totals, field.by));
    row.emplace_back(std::move(values));
    for (std::string& cell : show_field(series.totals, field.by, shown)) row.emplace_back(std::move(cell));
  }
  row.push_back(make_place(series.place));
  return row;
}

std::string_view name_limit(Comparison comparison) {
  if (comparison == Comparison::greater) return "at most";
  if (comparison == Comparison::at_least) return "less than";
  return comparison == Comparison::less ? "at least" : "more than";
}

std::string show_number(const Threshold& threshold) {
  const double size = threshold.number < 0 ? -threshold.number : threshold.number;
  const std::string_view sign = threshold.number < 0 ? "-" : "+";
  if (threshold.measure == Threshold::Measure::percentage) return fmt::format("{}{} %", sign, size);
  constexpr double too_large = 0x1p64;
  const std::uint64_t whole = size < too_large ? static_cast<std::uint64_t>(size) : UINT64_MAX;
  const std::string number = show_value(whole, threshold.field);
  return threshold.measure == Threshold::Measure::change ? std::string(sign) + number : number;
}

/// The value that was found in a row, in the words of the condition.
std::string show_found(const Series& series, const Threshold& threshold) {
  const TopBy by = threshold.field;
  const Totals& first = series.totals.front();
  const Totals& last = series.totals.back();
  if (threshold.measure == Threshold::Measure::value) return show_value(value_of(last, by), by);
  const std::string ends =
      fmt::format("{} to {}", show_value(value_of(first, by), by), show_value(value_of(last, by), by));
  const auto start = static_cast<double>(value_of(first, by));
  if (threshold.measure == Threshold::Measure::change || start == 0)
    return fmt::format("{} ({})", show_change(first, last, by), ends);
  return fmt::format("{:+.1f} % ({})", (static_cast<double>(value_of(last, by)) - start) / start * 100, ends);
}

std::string describe_violation(const Fields& fields, const Series& series, const Threshold& threshold) {
  constexpr std::size_t most_bytes = 100;
  const std::string name = !threshold.name ? "the whole heap"
                           : series.name.empty()
                               ? "<anon>"
                               : core::make_excerpt(series.name, most_bytes) + show_place_after(series.place);
  return fmt::format("{}: found {} {}, expected {} {}", name, key_of(fields, threshold.field),
                     show_found(series, threshold), name_limit(threshold.comparison), show_number(threshold));
}

Result<std::vector<Threshold>> parse_thresholds(const Options& options) {
  std::vector<Threshold> thresholds;
  for (const std::string& text : options.get<std::vector<std::string>>("fail-on")) {
    auto threshold = parse_threshold(text);
    if (!threshold) return refuse("--fail-on: " + threshold.error().message);
    thresholds.push_back(std::move(*threshold));
  }
  return thresholds;
}

/// Describes the first and the last snapshot, whose numbers are in the columns of the text.
std::string describe_ends(const Table& positions) {
  const auto show = [](const std::vector<Cell>& row) {
    return fmt::format("{}, snapshot {}", core::show_path(std::get<std::string>(row[0])),
                       std::get<std::uint64_t>(row[2]));
  };
  if (positions.rows.empty()) return {};
  return fmt::format("From {} to {}:\n\n", show(positions.rows.front()), show(positions.rows.back()));
}

/// What a question shows about the snapshots that it compares.
struct Comparing {
  std::vector<const Series*> (Differences::*find_rows)(TopBy by) const;
  std::size_t most_steps;     ///< the largest number of snapshots for which the text shows each step
  bool is_about_one_process;  ///< whether only the dumps of the first process in a trace count
};

class Changes final : public AnswerMaker {
 public:
  Changes(Options options, const Comparing& comparing) : options_(std::move(options)), comparing_(comparing) {
    if (has_conditions()) differences_->count_functions();
  }

  Result<void> add(const Asked& asked) override {
    if (!first_) first_ = {asked.file, asked.format};
    if (auto checked = check_comparable(*first_, asked.format); !checked) return checked;
    const auto of = options_.find<std::string>("of");
    const bool is_about_stacks = counts_stacks(asked, of.value_or("objects"));
    // Profiles have no objects, which are what is counted by default.
    of_ = of.value_or(is_about_stacks ? "frames" : "objects");
    return is_about_stacks ? add_stacks(asked) : add_nodes(asked);
  }

  Result<Answer> finish() override {
    if (!first_) return refuse("has no snapshot");
    const auto thresholds = parse_thresholds(options_);
    if (!thresholds) return std::unexpected(thresholds.error());
    if (!differences_->has_counts() &&
        std::ranges::find(*thresholds, TopBy::count, &Threshold::field) != thresholds->end())
      return refuse(
          "--fail-on: the dumps do not state how many objects there are, expected size or cumulative");
    Answer answer = make_answer();
    if (left_out_ != 0)
      answer.remarks.push_back(
          {Remark::Kind::note,
           fmt::format("left out {} of processes other than the first", core::counted(left_out_, "dump"))});
    for (const Threshold& threshold : *thresholds) {
      if (auto added = add_remarks(threshold, answer.remarks); !added) return std::unexpected(added.error());
    }
    return answer;
  }

 private:
  [[nodiscard]] bool has_conditions() const {
    return !options_.get<std::vector<std::string>>("fail-on").empty();
  }

  void add_position(const Asked& asked) {
    positions_.rows.push_back({asked.file, std::string(slug_of(asked.format)), asked.snapshot});
  }

  Result<void> add_nodes(const Asked& asked) {
    const auto heap = make_asked(asked);
    if (!heap) return std::unexpected(heap.error());
    const auto counted = parse_top_of(heap->graph(), of_);
    if (!counted) return std::unexpected(counted.error());
    differences_->add(*heap->heap, *counted);
    add_position(asked);
    return {};
  }

  Result<void> add_stacks(const Asked& asked) {
    fields_ = &stack_fields;
    // A condition must not hold because a file has no heap.
    if (!asked.lack.empty()) return has_conditions() ? refuse("--fail-on: " + asked.lack) : Result<void>();
    const auto profile = make_asked_profile(asked);
    if (!profile) return std::unexpected(profile.error());
    if (!process_) process_ = profile->process;
    if (comparing_.is_about_one_process && profile->process != *process_) {
      ++left_out_;
      return {};
    }
    const auto counted = parse_allocations_of(*profile, of_);
    if (!counted) return std::unexpected(counted.error());
    differences_->add(*profile, *counted);
    add_position(asked);
    return {};
  }

  /// Rows are not made until they are shown, because each row contains the numbers for all snapshots.
  Answer make_answer() {
    const TopBy order = *parse_top_by(options_.text("by"));
    const std::size_t count = positions_.rows.size();
    const Shown shown = count != 0 && count <= comparing_.most_steps ? Shown::steps : Shown::ends;
    Answer answer{.facts = {{"snapshots", std::vector{positions_}},
                            {"of", of_},
                            {"by", std::string(key_of(*fields_, order))}},
                  .table = {.columns = make_columns(*fields_, count, shown)}};
    answer.text_before = describe_ends(positions_);
    std::vector<const Series*> rows = ((*differences_).*comparing_.find_rows)(order);
    const std::size_t row_count = rows.size();
    answer.later_rows = {row_count,
                         [kept = differences_, list = std::move(rows), order, shown](std::size_t i) {
                           return make_series_row(*list[i], order, shown, kept->has_counts());
                         }};
    return answer;
  }

  /// Adds a remark for each row that violates the condition. Also adds one if the condition has a name that
  /// does not occur in any snapshot: it may be misspelt, but a leak that is gone is good news. Errors:
  /// unsupported if `strict-names` rules out such names.
  Result<void> add_remarks(const Threshold& threshold, std::vector<Remark>& remarks) const {
    const bool needs_name = threshold.name && threshold.name_comparison == Comparison::equal;
    if (needs_name && !differences_->has_name(*threshold.name)) {
      std::string text = fmt::format("--fail-on: found no {} in any snapshot{}",
                                     core::make_excerpt(*threshold.name), suggest_name(*threshold.name));
      if (options_.flag("strict-names")) return refuse(std::move(text));
      remarks.push_back({Remark::Kind::note, std::move(text)});
    }
    for (const Series& series : differences_->find_violations(threshold))
      remarks.push_back({Remark::Kind::violation, describe_violation(*fields_, series, threshold)});
    return {};
  }

  [[nodiscard]] std::string suggest_name(std::string_view typed) const {
    const std::string nearest = core::find_nearest(typed, differences_->names());
    return nearest.empty() ? std::string() : core::did_you_mean(core::make_excerpt(nearest));
  }

  Options options_;
  Comparing comparing_;
  std::shared_ptr<Differences> differences_ = std::make_shared<Differences>();
  Table positions_{.key = "snapshots",
                   .columns = {{"file", "File"}, {"format", "Format"}, {"snapshot", "Snapshot"}}};
  std::string of_;              ///< the items that are counted
  std::uint64_t left_out_ = 0;  ///< the number of dumps of processes other than the first
  const Fields* fields_ = &node_fields;
  std::optional<FirstDump> first_;
  std::optional<std::string> process_;  // of the first dump
};

}  // namespace

Result<void> check_conditions(const Options& options) {
  const auto thresholds = parse_thresholds(options);
  return thresholds ? Result<void>() : std::unexpected(thresholds.error());
}

std::unique_ptr<AnswerMaker> make_diff(const Options& options) {
  return std::make_unique<Changes>(
      options,
      Comparing{.find_rows = &Differences::find_changed, .most_steps = 3, .is_about_one_process = false});
}

std::unique_ptr<AnswerMaker> make_growth(const Options& options) {
  return std::make_unique<Changes>(
      options,
      Comparing{.find_rows = &Differences::sort_by_growth, .most_steps = 0, .is_about_one_process = true});
}

}  // namespace heapcheck::analyze::answers
