#include "analyze/answers/series_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "analyze/answers/rows.hpp"
#include "analyze/answers/write.hpp"
#include "analyze/differences.hpp"
#include "analyze/printed_name.hpp"
#include "analyze/whole_number.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::analyze::answers {
namespace {

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

/// A change in human-readable form: `+1,234`, `-5.0 KiB` or `0`.
std::string show_change(const Totals& from, const Totals& to, TopBy by) {
  const std::uint64_t first = value_of(from, by);
  const std::uint64_t last = value_of(to, by);
  if (first == last) return "0";
  return last > first ? "+" + show_value(last - first, by) : "-" + show_value(first - last, by);
}

std::vector<std::string> show_field(const std::vector<Totals>& totals, TopBy by, Shown shown) {
  const std::string last = show_value(value_of(totals.back(), by), by);
  if (shown == Shown::ends)
    return {show_value(value_of(totals.front(), by), by), last,
            show_change(totals.front(), totals.back(), by)};
  std::vector<std::string> cells = {last};
  for (std::size_t i = 1; i < totals.size(); ++i) cells.push_back(show_change(totals[i - 1], totals[i], by));
  return cells;
}

/// The headings for the changes from each of three snapshots to the next. The steps between more snapshots
/// are not shown.
constexpr std::array<std::string_view, 2> step_labels = {"0 to 1", "1 to 2"};

std::string_view name_limit(Comparison comparison) {
  if (comparison == Comparison::greater) return "at most";
  if (comparison == Comparison::at_least) return "less than";
  return comparison == Comparison::less ? "at least" : "more than";
}

std::string show_number(const Threshold& threshold) {
  const double size = threshold.number < 0 ? -threshold.number : threshold.number;
  const std::string_view sign = threshold.number < 0 ? "-" : "+";
  if (threshold.measure == Threshold::Measure::percentage) return fmt::format("{}{} %", sign, size);
  const std::string number = show_value(make_whole(size), threshold.field);
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

}  // namespace

std::string_view key_of(const Fields& fields, TopBy by) {
  return std::ranges::find(fields, by, &Field::by)->key;
}

std::vector<Column> make_columns(const Fields& fields, std::size_t snapshot_count, Shown shown) {
  std::vector<Column> columns = {{"name", "Name"}, {"trend", "Trend"}};
  for (const Field& field : fields) {
    columns.push_back({.key = field.key, .label = {}, .length = snapshot_count});
    columns.push_back({"", field.label, Unit::number});
    if (shown == Shown::ends) columns.push_back({"", "Last", Unit::number});
    const std::size_t change_count = shown == Shown::ends ? 1 : snapshot_count - 1;
    for (std::size_t i = 0; i < change_count; ++i)
      columns.push_back({"", change_count == 1 ? "Change" : step_labels.at(i), Unit::number});
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

CheckedCondition make_violation(const Fields& fields, const Series& series, const Threshold& threshold,
                                const std::string& process) {
  constexpr std::size_t most_bytes = 100;
  const std::string before = process.empty() ? "" : process + ", ";
  const std::string name = !threshold.name ? "the whole heap"
                           : series.name.empty()
                               ? "<anon>"
                               : core::make_excerpt(series.name, most_bytes) + show_place_after(series.place);
  return {.condition = {},
          .outcome = CheckedCondition::Outcome::violated,
          .text = fmt::format("{}{}: found {} {}, expected {} {}", before, name,
                              key_of(fields, threshold.field), show_found(series, threshold),
                              name_limit(threshold.comparison), show_number(threshold)),
          .row = threshold.name ? before + name : process};
}

}  // namespace heapcheck::analyze::answers
