// The questions about several snapshots: diff and growth.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "analyze/answers/doubts.hpp"
#include "analyze/answers/question.hpp"
#include "analyze/answers/rows.hpp"
#include "analyze/answers/series_rows.hpp"
#include "analyze/answers/write.hpp"
#include "analyze/differences.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/core/text/nearest.hpp"

namespace heapcheck::analyze::answers {
namespace {

Result<std::vector<Threshold>> parse_thresholds(const Options& options) {
  std::vector<Threshold> thresholds;
  for (const std::string& text : options.get<std::vector<std::string>>("fail-on")) {
    auto threshold = parse_threshold(text);
    if (!threshold) return refuse("--fail-on: " + threshold.error().message);
    thresholds.push_back(std::move(*threshold));
  }
  return thresholds;
}

/// The information that a question shows about the snapshots that it compares.
struct Comparing {
  std::vector<const Series*> (Differences::*find_rows)(TopBy by) const;
  std::size_t most_steps;       ///< the largest number of snapshots for which the text shows each step
  std::size_t least_snapshots;  ///< the smallest number of snapshots of one process
};

/// The snapshots that are compared with each other: those of one process, or all snapshots if the format does
/// not name processes.
struct Group {
  DumpProcess process;  ///< of the first snapshot
  std::string file;     ///< of the last snapshot
  bool is_only_process = true;
  std::vector<std::string> others = {};  ///< the names of processes in later files that are compared with it
  std::shared_ptr<Differences> differences = std::make_shared<Differences>();
  std::vector<std::vector<Cell>> positions = {};
};

/// Names the snapshots whose values and changes the columns of the text show: the first and the last one or,
/// if each step is shown, all of them with the numbers used in the headings.
std::string describe_ends(const Group& group, Shown shown) {
  const auto show = [](const std::vector<Cell>& row) {
    std::string text = fmt::format("{}, snapshot {}", core::show_path(std::get<std::string>(row[0])),
                                   std::get<std::uint64_t>(row[2]));
    if (row.size() > 3) text += fmt::format(" (dump {})", core::make_excerpt(std::get<std::string>(row[6])));
    return text;
  };
  if (group.positions.empty()) return {};
  const std::string process = group.process.name.empty() ? "" : show_process(group.process) + ", ";
  if (shown == Shown::steps && group.positions.size() > 2) {
    std::string text = process + (process.empty() ? "N" : "n") + "umbers in 2, and changes between:\n\n";
    for (std::size_t i = 0; i < group.positions.size(); ++i)
      text += fmt::format("{}: {}\n", i, show(group.positions[i]));
    return text + "\n";
  }
  const std::string ends =
      fmt::format("rom {} to {}:\n\n", show(group.positions.front()), show(group.positions.back()));
  return process + (process.empty() ? "F" : "f") + ends;
}

class Changes final : public AnswerMaker {
 public:
  Changes(Options options, const Comparing& comparing)
      : options_(std::move(options)), comparing_(comparing) {}

  Result<void> add(const Asked& asked) override {
    if (!first_) first_ = {asked.file, asked.format};
    if (auto checked = check_comparable(*first_, asked.format); !checked) return checked;
    const auto of = options_.find<std::string>("of");
    const bool is_about_stacks = counts_stacks(asked, of.value_or("objects"));
    // Profiles have no objects, although objects are counted by default.
    of_ = of.value_or(is_about_stacks ? "frames" : "objects");
    if (is_about_stacks) fields_ = &stack_fields;
    // A condition must not be met merely because a file has no heap.
    if (!asked.lack.empty()) return has_conditions() ? refuse("--fail-on: " + asked.lack) : Result<void>();
    return is_about_stacks ? add_stacks(asked) : add_nodes(asked);
  }

  Result<Answer> finish() override {
    if (!first_) return refuse("has no snapshot");
    const auto thresholds = parse_thresholds(options_);
    if (!thresholds) return std::unexpected(thresholds.error());
    std::vector<Remark> remarks;
    if (auto left = leave_out(remarks); !left) return std::unexpected(left.error());
    const bool has_counts =
        std::ranges::all_of(groups_, [](const Group& group) { return group.differences->has_counts(); });
    if (!has_counts && std::ranges::find(*thresholds, TopBy::count, &Threshold::field) != thresholds->end())
      return refuse(
          "--fail-on: the dumps do not state how many objects there are, expected size or cumulative");
    Answer answer = has_processes() ? make_process_answer() : make_answer();
    answer.remarks = std::move(remarks);
    std::ranges::move(doubts_.make_remarks(), std::back_inserter(answer.remarks));
    if (left_out_.count != 0) answer.remarks.push_back(make_remark(left_out_, "up to "));
    add_single(answer.remarks);
    const auto texts = options_.get<std::vector<std::string>>("fail-on");
    for (std::size_t i = 0; i < thresholds->size(); ++i) {
      if (auto added = add_condition(texts[i], (*thresholds)[i], answer); !added)
        return std::unexpected(added.error());
    }
    return answer;
  }

 private:
  [[nodiscard]] bool has_conditions() const {
    return !options_.get<std::vector<std::string>>("fail-on").empty();
  }
  [[nodiscard]] bool has_processes() const { return family_of(first_->format) == Family::trace; }

  void add_position(Group& group, const Asked& asked) {
    std::vector<Cell> row = {asked.file, std::string(slug_of(asked.format)), asked.snapshot};
    if (has_processes()) append_process(asked.process, row);
    group.positions.push_back(std::move(row));
    group.file = asked.file;
  }

  Result<void> add_nodes(const Asked& asked) {
    const auto heap = make_asked(asked);
    if (!heap) return std::unexpected(heap.error());
    const auto counted = parse_top_of(heap->graph(), of_);
    if (!counted) return std::unexpected(counted.error());
    Group& group = find_group(asked);
    group.differences->add(*heap->heap, *counted);
    const Family family = family_of(asked.format);
    if (family == Family::v8_heapsnapshot || family == Family::mvmheap) doubts_.add(asked.file, *heap);
    add_position(group, asked);
    return {};
  }

  Result<void> add_stacks(const Asked& asked) {
    has_several_files_ = has_several_files_ || (!last_file_.empty() && asked.file != last_file_);
    last_file_ = asked.file;
    if (has_processes() && !asked.process.pid) {
      ++unknown_;  // two dumps of unknown processes may describe different processes
      return {};
    }
    const auto profile = make_asked_profile(asked);
    if (!profile) return std::unexpected(profile.error());
    const auto counted = parse_allocations_of(*profile, of_);
    if (!counted) return std::unexpected(counted.error());
    if (profile->left_out_count > left_out_.count)
      left_out_ = {.count = profile->left_out_count, .size = profile->left_out_size};
    Group& group = find_group(asked);
    group.differences->add(*profile, *counted);
    add_position(group, asked);
    return {};
  }

  /// The group of a snapshot. Processes in two files are the same if their ids and types are equal. Files
  /// that were recorded at different times have different ids, so the only process of a type in one file is
  /// also considered the same as the only one in another file.
  Group& find_group(const Asked& asked) {
    const DumpProcess& process = asked.process;
    const auto [same, is_new] = same_.try_emplace({process.pid, process.type}, groups_.size());
    if (!is_new) return groups_[same->second];
    const std::optional<std::size_t> other = find_only_other(asked);
    if (!other) {
      if (asked.is_only_process) only_[process.type].push_back(groups_.size());
      groups_.push_back({.process = process, .file = asked.file, .is_only_process = asked.is_only_process});
      if (has_conditions()) groups_.back().differences->count_functions();
      return groups_.back();
    }
    same_.erase(same);  // in a third file, it may not be the only one
    Group& group = groups_[*other];
    if (std::ranges::find(group.others, process.name) == group.others.end())
      group.others.push_back(process.name);
    return group;
  }

  /// The group of the only process of a type in another file, if the snapshot is of the only one in its file.
  [[nodiscard]] std::optional<std::size_t> find_only_other(const Asked& asked) const {
    const auto only = only_.find(asked.process.type);
    if (!asked.is_only_process || only == only_.end()) return std::nullopt;
    const auto stands_for = [&](std::size_t index) {
      const Group& group = groups_[index];
      return group.file != asked.file ||
             std::ranges::find(group.others, asked.process.name) != group.others.end();
    };
    const auto found = std::ranges::find_if(only->second, stands_for);
    return found == only->second.end() ? std::nullopt : std::optional(*found);
  }

  /// Leaves out the dumps that cannot be compared, and says so. Errors: unsupported if there are no others.
  Result<void> leave_out(std::vector<Remark>& remarks) {
    // One file may show the growth since the start of a process, but several files are compared.
    const std::size_t least = has_several_files_ ? 2 : comparing_.least_snapshots;
    std::vector<std::string> single;
    for (const Group& group : groups_) {
      if (group.positions.size() < least && has_processes()) single.push_back(show_process(group.process));
      for (const std::string& other : group.others)
        remarks.push_back(
            {Remark::Kind::note,
             fmt::format("compared {} with {}, each the only one of this type in its file",
                         show_process(group.process), core::make_excerpt(other, most_process_bytes))});
    }
    if (!single.empty())
      std::erase_if(groups_, [least](const Group& group) { return group.positions.size() < least; });
    std::vector<std::string> reasons;
    if (!single.empty())
      reasons.push_back(fmt::format("one dump {}of {}", single.size() == 1 ? "" : "each ",
                                    core::join_words(single, "and")));
    if (unknown_ != 0)
      reasons.push_back(fmt::format("{} of unknown processes", core::counted(unknown_, "dump")));
    if (groups_.empty() && !reasons.empty())
      return refuse(fmt::format("found only {}, expected several dumps of one process{}",
                                core::join_words(reasons, "and"),
                                has_several_files_ && !single.empty()
                                    ? "; with --process, the only process of a type in each file is compared"
                                    : ""));
    for (const std::string& reason : reasons) remarks.push_back({Remark::Kind::note, "left out " + reason});
    return {};
  }

  /// Whether there is nothing to compare, as in the growth of one snapshot.
  [[nodiscard]] bool has_single() const {
    const auto is_single = [](const Group& group) { return group.positions.size() == 1; };
    return !groups_.empty() && std::ranges::all_of(groups_, is_single);
  }
  void add_single(std::vector<Remark>& remarks) const {
    if (!has_single()) return;
    remarks.push_back(
        {Remark::Kind::note,
         fmt::format(
             "found one snapshot{}, so nothing shows what changed; expected several snapshots or files",
             groups_.size() == 1 ? "" : " of each process")});
  }

  [[nodiscard]] Table make_positions() const {
    Table positions{.key = "snapshots",
                    .columns = {{"file", "File"}, {"format", "Format"}, {"snapshot", "Snapshot"}}};
    if (has_processes())
      positions.columns.insert(positions.columns.end(), process_columns.begin(), process_columns.end());
    for (const Group& group : groups_)
      positions.rows.insert(positions.rows.end(), group.positions.begin(), group.positions.end());
    return positions;
  }

  [[nodiscard]] Shown choose_shown(std::size_t count) const {
    return count != 0 && count <= comparing_.most_steps ? Shown::steps : Shown::ends;
  }

  [[nodiscard]] std::vector<std::pair<std::string_view, Cell>> make_head(TopBy order) const {
    return {{"snapshots", std::vector{make_positions()}},
            {"of", of_},
            {"by", std::string(key_of(*fields_, order))}};
  }

  /// The answer about several snapshots, all of which are compared. Rows are not made until they are shown,
  /// because each row contains the numbers for all snapshots.
  Answer make_answer() {
    if (groups_.empty()) groups_.emplace_back();
    const Group& group = groups_.front();
    const TopBy order = *parse_top_by(options_.text("by"));
    const std::size_t count = group.positions.size();
    const Shown shown = choose_shown(count);
    Answer answer{.facts = make_head(order), .table = {.columns = make_columns(*fields_, count, shown)}};
    answer.text_before = describe_ends(group, shown);
    std::vector<const Series*> rows = ((*group.differences).*comparing_.find_rows)(order);
    const std::size_t row_count = rows.size();
    answer.later_rows = {row_count,
                         [kept = group.differences, list = std::move(rows), order, shown](std::size_t i) {
                           return make_series_row(*list[i], order, shown, kept->has_counts());
                         }};
    return answer;
  }

  /// The answer about all processes in turn. Each process has its own number of snapshots.
  Answer make_process_answer() {
    const TopBy order = *parse_top_by(options_.text("by"));
    std::size_t most_positions = 0;
    for (const Group& group : groups_) most_positions = std::max(most_positions, group.positions.size());
    Answer answer{.facts = make_head(order),
                  .table = {.columns = make_columns(*fields_, most_positions, Shown::ends)},
                  .is_limited = false};  // the rows of each process were limited instead
    answer.table.columns.push_back(process_columns.front());
    std::string text;
    for (const Group& group : groups_) {
      const auto rows = ((*group.differences).*comparing_.find_rows)(order);
      text.append(text.empty() ? "" : "\n")
          .append(describe_ends(group, choose_shown(group.positions.size())))
          .append(show_rows(group, rows, order));
      for (std::size_t i = 0; i < std::min(rows.size(), options_.most_rows()); ++i) {
        answer.table.rows.push_back(
            make_series_row(*rows[i], order, Shown::ends, group.differences->has_counts()));
        answer.table.rows.back().emplace_back(group.process.name);
      }
    }
    if (!groups_.empty()) answer.text = std::move(text);
    return answer;
  }

  /// The rows of one process in human-readable form.
  [[nodiscard]] std::string show_rows(const Group& group, const std::vector<const Series*>& rows,
                                      TopBy order) const {
    if (rows.empty()) return "none\n";
    const Shown shown = choose_shown(group.positions.size());
    Table table{.columns = make_columns(*fields_, group.positions.size(), shown)};
    const std::size_t count = std::min(rows.size(), options_.most_rows());
    for (std::size_t i = 0; i < count; ++i)
      table.rows.push_back(make_series_row(*rows[i], order, shown, group.differences->has_counts()));
    const std::string more = count == rows.size() ? ""
                                                  : fmt::format("and {} more; --limit N shows N rows\n",
                                                                show_count(rows.size() - count));
    return show_table(table) + more;
  }

  /// Adds the outcome of a condition, with a remark for each row that violates it, in each process. It is
  /// undecided about a change if there is only one snapshot. Also adds a remark if the condition has a name
  /// that occurs in no snapshot. The name may be misspelt, but this is not an error, because a leak that is
  /// gone is good news. Errors: unsupported if `strict-names` rules out such names.
  Result<void> add_condition(const std::string& condition, const Threshold& threshold, Answer& answer) const {
    const bool needs_name = threshold.name && threshold.name_comparison == Comparison::equal;
    const auto has_name = [&](const Group& group) { return group.differences->has_name(*threshold.name); };
    if (needs_name && std::ranges::none_of(groups_, has_name)) {
      std::string text = fmt::format("--fail-on: found no {} in any snapshot{}",
                                     core::make_excerpt(*threshold.name), suggest_name(*threshold.name));
      if (options_.flag("strict-names")) return refuse(std::move(text));
      answer.remarks.push_back({Remark::Kind::note, std::move(text)});
    }
    if (has_single() && threshold.measure != Threshold::Measure::value) {
      answer.conditions.push_back({condition, CheckedCondition::Outcome::undecided, groups_.back().file,
                                   "found 1 snapshot, expected at least two"});
      return {};
    }
    bool holds = true;
    for (const Group& group : groups_) {
      const std::string process = group.process.name.empty() ? "" : show_process(group.process);
      for (const Series& series : group.differences->find_violations(threshold)) {
        CheckedCondition violation = make_violation(*fields_, series, threshold, process);
        violation.condition = condition;
        violation.file = group.file;
        answer.remarks.push_back({Remark::Kind::violation, violation.text});
        answer.conditions.push_back(std::move(violation));
        holds = false;
      }
    }
    if (holds)
      answer.conditions.push_back({.condition = condition,
                                   .outcome = CheckedCondition::Outcome::holds,
                                   .file = groups_.empty() ? std::string() : groups_.back().file});
    return {};
  }

  [[nodiscard]] std::string suggest_name(std::string_view typed) const {
    std::vector<std::string> names;
    for (const Group& group : groups_)
      std::ranges::move(group.differences->names(), std::back_inserter(names));
    const std::string nearest = core::find_nearest(typed, names);
    return nearest.empty() ? std::string() : core::did_you_mean(core::make_excerpt(nearest));
  }

  Options options_;
  Comparing comparing_;
  std::vector<Group> groups_;  ///< in the order of their first snapshots
  // The indices of groups. They are in maps because a trace may have as many processes as dumps, so linear
  // searches would be too slow.
  std::map<std::pair<std::optional<std::int64_t>, std::string>, std::size_t> same_;  ///< by id and type
  std::map<std::string, std::vector<std::size_t>> only_;  ///< by type; for the only processes of a type in
                                                          ///< their files
  std::string of_;                                        ///< the items that are counted
  std::uint64_t unknown_ = 0;                             ///< the number of dumps of unknown processes
  DoubtFinder doubts_;
  WithoutStack left_out_;  ///< the most in any snapshot
  const Fields* fields_ = &node_fields;
  std::optional<FirstDump> first_;
  std::string last_file_;  ///< the last one with dumps
  bool has_several_files_ = false;
};

}  // namespace

Result<void> check_conditions(const Options& options) {
  const auto thresholds = parse_thresholds(options);
  return thresholds ? Result<void>() : std::unexpected(thresholds.error());
}

std::unique_ptr<AnswerMaker> make_diff(const Options& options) {
  return std::make_unique<Changes>(
      options, Comparing{.find_rows = &Differences::find_changed, .most_steps = 3, .least_snapshots = 2});
}

std::unique_ptr<AnswerMaker> make_growth(const Options& options) {
  return std::make_unique<Changes>(
      options, Comparing{.find_rows = &Differences::sort_by_growth, .most_steps = 0, .least_snapshots = 1});
}

}  // namespace heapcheck::analyze::answers
