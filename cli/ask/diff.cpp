// The questions about several snapshots: diff and growth.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <ranges>

#include "cli/ask/ask.hpp"
#include "cli/ask/options.hpp"
#include "cli/ask/questions.hpp"
#include "cli/ask/rows.hpp"
#include "cli/ask/stacks.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/core/text/parse_number.hpp"
#include "heapcheck/differences.hpp"

namespace heapcheck::cli {
namespace {

/// A number that can be compared, and how people call it.
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

/// A change for people: `+1,234`, `-5.0 KiB`, or `0`.
std::string show_change(const Totals& from, const Totals& to, TopBy by) {
  const std::uint64_t first = value_of(from, by);
  const std::uint64_t last = value_of(to, by);
  if (first == last) return "0";
  return last > first ? "+" + show_value(last - first, by) : "-" + show_value(first - last, by);
}

/// What the text shows of each field: the last number and the change from each snapshot to the next, or the
/// first number, the last one, and the change between them.
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

/// For each field, a list for programs and what the text shows.
std::vector<Column> make_columns(const Fields& fields, std::size_t snapshot_count, Shown shown) {
  std::vector<Column> columns = {{"name", "Name"}, {"trend", "Trend"}};
  for (const Field& field : fields) {
    columns.push_back({.key = field.key, .label = {}, .length = snapshot_count});
    columns.push_back({"", field.label, Unit::number});
    if (shown == Shown::ends) columns.push_back({"", "Last", Unit::number});
    const std::size_t change_count = shown == Shown::ends ? 1 : snapshot_count - 1;
    columns.insert(columns.end(), change_count, {"", "Change", Unit::number});
  }
  return columns;
}

std::vector<Cell> make_series_row(const Series& series, TopBy by, Shown shown) {
  std::vector<Cell> row = {series.name, std::string(name_of(find_trend(series, by)))};
  for (const Field& field : node_fields) {
    std::vector<std::uint64_t> values;
    for (const Totals& totals : series.totals) values.push_back(value_of(totals, field.by));
    row.emplace_back(std::move(values));
    for (std::string& cell : show_field(series.totals, field.by, shown)) row.emplace_back(std::move(cell));
  }
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

/// What a row has, in the words of the condition.
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
  const std::string name = !threshold.name       ? "the whole heap"
                           : series.name.empty() ? "<anon>"
                                                 : core::make_excerpt(series.name, most_bytes);
  return fmt::format("{}: found {} {}, expected {} {}", name, key_of(fields, threshold.field),
                     show_found(series, threshold), name_limit(threshold.comparison), show_number(threshold));
}

std::unexpected<Error> refuse_list(std::string_view list) {
  return std::unexpected(
      Error{ErrorKind::unsupported,
            fmt::format("--snapshots: found {}, expected all, or two or more numbers such as 0,3", list)});
}

Error refuse_words(const std::vector<std::string>& words) {
  return {ErrorKind::unsupported,
          fmt::format("found \"{}\", expected the indices of two or three snapshots", fmt::join(words, " "))};
}

/// The file with the snapshots that LIST names: `0,3` or `all`.
Result<std::vector<Wanted>> parse_list(const std::string& file, std::string_view list) {
  if (list == "all") return std::vector<Wanted>{{.file = file, .which = Which::all}};
  Wanted wanted{.file = file};
  for (const auto part : std::views::split(list, ',')) {
    const auto index = core::parse_number({part.begin(), part.end()});
    if (!index) return refuse_list(list);
    wanted.snapshots.push_back(*index);
  }
  if (wanted.snapshots.size() < 2) return refuse_list(list);
  return std::vector<Wanted>{wanted};
}

Result<std::vector<Wanted>> find_diff_files(const Values& values) {
  const auto files = values.get<std::vector<std::string>>("FILE");
  const auto list = values.find<std::string>("snapshots");
  if (list && files.size() == 1) return parse_list(files[0], *list);
  if (list || files.size() < 2 || files.size() > 3) {
    const std::string found =
        fmt::format("found {}{}", core::counted(files.size(), "file"), list ? " and --snapshots" : "");
    return std::unexpected(
        Error{ErrorKind::unsupported, found + ", expected two or three files, or one file and --snapshots"});
  }
  std::vector<Wanted> wanted;
  for (const std::string& file : files) wanted.push_back({.file = file});
  return wanted;
}

Result<std::vector<Threshold>> parse_thresholds(const Values& values) {
  std::vector<Threshold> thresholds;
  for (const std::string& text : values.get<std::vector<std::string>>("fail-on")) {
    auto threshold = parse_threshold(text);
    if (!threshold)
      return std::unexpected(Error{ErrorKind::unsupported, "--fail-on: " + threshold.error().message});
    thresholds.push_back(std::move(*threshold));
  }
  return thresholds;
}

/// Which dumps of a trace are compared.
enum class Processes : std::uint8_t { all, first };

/// The snapshots that are compared.
class Compared {
 public:
  explicit Compared(Processes processes) : processes_(processes) {}

  /// Counts `what`. Errors: unsupported, if the formats of this snapshot and of those before it are of
  /// different families, or if it does not have that; those of making its graph or profile.
  Result<void> add(const AskedSnapshot& asked, std::string_view what) {
    if (!first_) first_ = {asked.file, asked.format};
    if (auto checked = check_comparable(first_->first, first_->second, asked.format); !checked)
      return checked;
    return counts_stacks(asked, what) ? add_stacks(asked, what) : add_nodes(asked, what);
  }

  Differences differences;
  Table positions{.key = "snapshots",
                  .columns = {{"file", "File"}, {"format", "Format"}, {"snapshot", "Snapshot"}}};
  std::string of;              ///< what is counted
  std::uint64_t left_out = 0;  ///< dumps of processes other than the first
  Fields fields = node_fields;

 private:
  void add_position(const AskedSnapshot& asked) {
    positions.rows.push_back({asked.file, std::string(slug_of(asked.format)), asked.snapshot.index()});
  }

  Result<void> add_nodes(const AskedSnapshot& snapshot, std::string_view what) {
    const auto asked = make_asked(snapshot);
    if (!asked) return std::unexpected(asked.error());
    of = what;
    differences.add(asked->heap, parse_top_of(what));
    add_position(snapshot);
    return {};
  }

  /// Profiles have no objects, which are what is counted by default.
  Result<void> add_stacks(const AskedSnapshot& snapshot, std::string_view what) {
    const auto profile = snapshot.snapshot.profile();
    if (!profile) return std::unexpected(profile.error());
    if (!process_) process_ = profile->process;
    if (processes_ == Processes::first && profile->process != *process_) {
      ++left_out;
      return {};
    }
    of = what == "objects" ? "frames" : what;
    fields = stack_fields;
    const auto counted = parse_allocations_of(*profile, of);
    if (!counted) return std::unexpected(counted.error());
    differences.add(*profile, *counted);
    add_position(snapshot);
    return {};
  }

  Processes processes_;
  std::optional<std::pair<std::string, Format>> first_;
  std::optional<std::string> process_;  // of the first dump
};

/// Says so if a condition names a type that no snapshot has, which may be misspelt.
void note_unknown_name(const Compared& compared, const Threshold& threshold) {
  if (!threshold.name || threshold.name_comparison != Comparison::equal) return;
  const auto rows = compared.differences.sort_by_growth(threshold.field);
  const auto has_name = [&](const Series* row) { return row->name == *threshold.name; };
  if (std::ranges::none_of(rows, has_name))
    print_note(fmt::format("heapcheck: --fail-on: found no {} in any snapshot\n",
                           core::make_excerpt(*threshold.name)));
}

/// Prints what breaks the conditions, and returns the exit status.
int print_violations(const Compared& compared, const std::vector<Threshold>& thresholds) {
  int status = sound;
  for (const Threshold& threshold : thresholds) {
    note_unknown_name(compared, threshold);
    for (const Series& series : compared.differences.find_violations(threshold)) {
      print_error(describe_violation(compared.fields, series, threshold));
      status = findings;
    }
  }
  return status;
}

/// The first and the last snapshot, which the columns of the text are about.
std::string describe_ends(const Table& positions) {
  const auto show = [](const std::vector<Cell>& row) {
    return fmt::format("{}, snapshot {}", show_path(std::get<std::string>(row[0])),
                       std::get<std::uint64_t>(row[2]));
  };
  if (positions.rows.empty()) return {};
  return fmt::format("From {} to {}:\n\n", show(positions.rows.front()), show(positions.rows.back()));
}

using FindRows = std::vector<const Series*> (Differences::*)(TopBy) const;

Answer make_answer(const Values& values, const Compared& compared, FindRows find_rows, Shown shown) {
  const TopBy order = *parse_top_by(values.get<std::string>("by"));
  const std::size_t count = compared.positions.rows.size();
  Answer made{.facts = {{"snapshots", std::vector{compared.positions}},
                        {"of", compared.of},
                        {"by", std::string(key_of(compared.fields, order))}},
              .table = {.columns = make_columns(compared.fields, count, shown)}};
  made.text_before = describe_ends(compared.positions);
  std::vector<const Series*> rows = (compared.differences.*find_rows)(order);
  // Rows beyond the limit are not made, because each has the numbers of all snapshots.
  const std::size_t most = most_rows(values);
  if (rows.size() > most) made.left_out = rows.size() - most;
  rows.resize(rows.size() - static_cast<std::size_t>(made.left_out));
  for (const Series* series : rows) made.table.rows.push_back(make_series_row(*series, order, shown));
  return made;
}

int compare(const Values& values, const Result<std::vector<Wanted>>& files, FindRows find_rows,
            std::size_t most_steps, Processes processes = Processes::all) {
  const auto thresholds = parse_thresholds(values);
  if (!files || !thresholds) {
    print_error(files ? thresholds.error().message : files.error().message);
    return usage;
  }
  const auto of = values.get<std::string>("of");
  Compared compared(processes);
  const auto visit = [&](const AskedSnapshot& asked) { return compared.add(asked, of); };
  const auto answer = [&] {
    const bool has_steps = compared.positions.rows.size() <= most_steps;
    return make_answer(values, compared, find_rows, has_steps ? Shown::steps : Shown::ends);
  };
  const int status = ask_snapshots(values, *files, visit, answer);
  if (compared.left_out != 0)
    print_note(fmt::format("heapcheck: left out {} of processes other than the first\n",
                           core::counted(compared.left_out, "dump")));
  return status == sound ? print_violations(compared, *thresholds) : status;
}

constexpr std::size_t most_steps_of_diff = 3;

/// The answer about the snapshots of an open dump, with all rows.
Result<Answer> compare_snapshots(const Values& values, const std::string& file, const Dump& dump,
                                 const std::vector<std::uint64_t>& indices, FindRows find_rows,
                                 std::size_t most_steps) {
  Compared compared(Processes::all);
  for (const std::uint64_t index : indices) {
    const auto snapshot = dump.snapshot(index);
    if (!snapshot) return std::unexpected(snapshot.error());
    const auto added = compared.add({file, dump.format(), *snapshot}, values.get<std::string>("of"));
    if (!added) return std::unexpected(added.error());
  }
  Values unlimited = values;
  unlimited.slot(row_limit.name) = std::uint64_t{0};
  return make_answer(unlimited, compared, find_rows,
                     indices.size() <= most_steps ? Shown::steps : Shown::ends);
}

}  // namespace

Result<Answer> answer_diff(const Values& values, const std::string& file, const Dump& dump) {
  std::vector<std::uint64_t> indices;
  const auto words = values.get<std::vector<std::string>>("N");
  for (const std::string& word : words) {
    const auto index = core::parse_number(word);
    if (!index) return std::unexpected(refuse_words(words));
    indices.push_back(*index);
  }
  if (indices.size() < 2 || indices.size() > most_steps_of_diff) return std::unexpected(refuse_words(words));
  return compare_snapshots(values, file, dump, indices, &Differences::find_changed, most_steps_of_diff);
}

Result<Answer> answer_growth(const Values& values, const std::string& file, const Dump& dump) {
  std::vector<std::uint64_t> indices;
  for (const Snapshot& snapshot : dump.snapshots()) {
    if (snapshot.is_whole()) indices.push_back(snapshot.index());
  }
  return compare_snapshots(values, file, dump, indices, &Differences::sort_by_growth, 0);
}

int run_diff(const Values& values) {
  return compare(values, find_diff_files(values), &Differences::find_changed, most_steps_of_diff);
}

int run_growth(const Values& values) {
  std::vector<Wanted> files;
  for (const std::string& file : values.get<std::vector<std::string>>("FILE"))
    files.push_back({.file = file, .which = Which::all});
  return compare(values, files, &Differences::sort_by_growth, 0, Processes::first);
}

}  // namespace heapcheck::cli
