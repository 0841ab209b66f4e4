#include "recover/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <tuple>
#include <vector>

#include "formats/core/output/json_writer.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/core/text/losses.hpp"

namespace heapcheck::recovery {
namespace {

/// The maximum number of lines about dropped parts, and the maximum number of part numbers in one line.
constexpr std::size_t max_lines = 20;
constexpr std::size_t max_numbers = 3;

/// The first finding of this severity; null if there is none. Limits do not count.
const Finding* find_first(const Report& report, Severity severity) {
  const auto found = std::ranges::find_if(report.findings, [&](const Finding& finding) {
    return finding.severity == severity && finding.rule->stage != Stage::limit;
  });
  return found == report.findings.end() ? nullptr : &*found;
}

/// `0x31b478: unexpected end of input in an array`.
std::string describe(const Finding& finding) {
  return fmt::format("0x{:x}: {}", finding.location.file.offset, finding.message);
}

/// `1 snapshot`, `2 snapshots`, `1 row of other sections`, `at least 3 nodes`, `an unknown number of nodes`.
std::string describe(const Amount& amount) {
  if (amount.is_least && amount.count == 0) return "an unknown number of " + amount.what;
  const std::string count = amount.what.empty() ? std::to_string(amount.count)
                                                : core::counted(amount.count, core::find_noun(amount.what));
  return (amount.is_least ? "at least " : "") + count;
}

/// `3 snapshots, 1204 collectables`.
std::string describe(const std::vector<Amount>& amounts) {
  std::string text;
  for (const Amount& amount : amounts) text.append(text.empty() ? "" : ", ").append(describe(amount));
  return text;
}

/// Parts of one kind that were dropped for the same reason.
using Group = std::vector<const DroppedPart*>;

std::vector<Group> group(const std::vector<DroppedPart>& parts) {
  std::vector<Group> groups;
  std::map<std::tuple<std::string_view, bool, std::string_view>, std::size_t> places;
  for (const DroppedPart& part : parts) {
    const auto [place, is_new] =
        places.try_emplace({part.kind, part.index.has_value(), part.reason}, groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(&part);
  }
  return groups;
}

/// `1, 4 to 9, 12 and 25 more up to 41`; each number or range counts once. `parts` are in ascending order.
std::string list_numbers(const Group& parts) {
  std::string text;
  std::size_t next = 0;
  for (std::size_t runs = 0; next < parts.size() && runs < max_numbers; ++runs) {
    const std::size_t first = next++;
    while (next < parts.size() && *parts[next]->index == *parts[next - 1]->index + 1) ++next;
    if (next - first == 2) --next;
    fmt::format_to(std::back_inserter(text), "{}{}", first == 0 ? "" : ", ", *parts[first]->index);
    if (next - first > 1) fmt::format_to(std::back_inserter(text), " to {}", *parts[next - 1]->index);
  }
  if (next < parts.size())
    fmt::format_to(std::back_inserter(text), " and {} more up to {}", parts.size() - next,
                   *parts.back()->index);
  return text;
}

/// `snapshot 3: the graph is incomplete`, `2 heap dumps (in events 3, 4): ...`.
std::string describe(const Group& parts) {
  const DroppedPart& first = *parts.front();
  if (parts.size() == 1) return first.name + ": " + first.reason;
  const std::string count = core::counted(parts.size(), core::find_noun(first.kind));
  if (!first.index) return count + ": " + first.reason;
  const std::string_view in = first.kind == "heap dump" ? "in events " : "";
  return fmt::format("{} ({}{}): {}", count, in, list_numbers(parts), first.reason);
}

/// One line for each reason, even if many parts were dropped for that reason.
std::string describe_dropped_parts(const Recovery& recovery) {
  std::string text;
  auto to = std::back_inserter(text);
  const std::vector<Group> groups = group(recovery.dropped_parts);
  std::uint64_t more = recovery.more_dropped_parts;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i < max_lines) fmt::format_to(to, "    {}\n", describe(groups[i]));
    if (i >= max_lines) more += groups[i].size();
  }
  if (more != 0) fmt::format_to(to, "    and {} more\n", more);
  return text;
}

/// A line about the findings of the highest severity in the input. Empty if there are only notes.
std::string describe_findings(const Report& report) {
  for (const Severity severity : {Severity::error, Severity::warning}) {
    const Finding* const first = find_first(report, severity);
    if (first == nullptr) continue;
    return fmt::format("  {} in the input: {} (listed by `heapcheck validate`), the first at {}\n",
                       core::find_noun(name_of(severity)).many, report.count(severity), describe(*first));
  }
  return {};
}

/// What the findings mean for the result, if that is not clear from the losses.
std::string describe_outcome(const Recovery& recovery) {
  if (recovery.has_only_wrong_counts)
    return "  nothing was lost: everything that was wrong could be corrected\n";
  const bool is_unchanged = !recovery.has_lost && recovery.repairs.empty();
  return is_unchanged ? "  no content was lost or changed\n" : std::string();
}

/// `no snapshot can be kept, so nothing was written; the first error is at 0x10: ...`, and what was dropped.
std::string explain_nothing(const Recovery& recovery) {
  const Finding* const error = find_first(recovery.report, Severity::error);
  return fmt::format("no {} can be kept, so nothing was written{}{}\n{}", recovery.unit,
                     error == nullptr ? "" : "; the first error is at ",
                     error == nullptr ? "" : describe(*error), describe_dropped_parts(recovery));
}

void write_amounts(core::JsonWriter& json, std::string_view name, const std::vector<Amount>& amounts) {
  core::write_rows(json, name, amounts, [](core::JsonWriter& row, const Amount& amount) {
    row.member("what", amount.what);
    row.member("count", amount.count);
    row.member("is_least", amount.is_least);
  });
}

void write_dropped_part(core::JsonWriter& json, const DroppedPart& part) {
  json.member("kind", part.kind);
  if (part.index) json.member("index", *part.index);
  json.member("name", part.name);
  json.member("reason", part.reason);
}

void write_repair(core::JsonWriter& json, const Repair& repair) {
  json.member("what", repair.what);
  write_amounts(json, "amounts", repair.amounts);
}

void write_loss(core::JsonWriter& json, const Loss& loss) {
  json.member("what", loss.what);
  json.member("count", loss.count);
  json.member("reason", loss.reason);
}

void write_findings(core::JsonWriter& json, const Report& report) {
  json.begin_object("counts");
  for (const Severity severity : {Severity::error, Severity::warning, Severity::note})
    json.member(name_of(severity), report.count(severity));
  json.end_object();
  const Finding* const error = find_first(report, Severity::error);
  const Finding* const first = error != nullptr ? error : find_first(report, Severity::warning);
  if (first == nullptr) return;
  json.begin_object("first_finding");
  json.member("id", first->rule->id);
  json.member("severity", name_of(first->severity));
  json.member("offset", first->location.file.offset);
  json.member("message", first->message);
  json.end_object();
}

}  // namespace

std::string make_text(const Recovery& recovery, std::string_view output) {
  if (recovery.is_refused)
    return fmt::format("{} cannot represent everything, so nothing was written\n{}", name_of(recovery.target),
                       core::describe_losses(recovery.losses));
  if (!recovery.is_written) return explain_nothing(recovery);
  std::string text = fmt::format("{}: {}\n  kept: {}\n", core::show_path(output), name_of(recovery.target),
                                 describe(recovery.kept));
  auto to = std::back_inserter(text);
  if (!recovery.dropped.empty())
    fmt::format_to(to, "  dropped: {}\n{}", describe(recovery.dropped), describe_dropped_parts(recovery));
  for (const Repair& repair : recovery.repairs)
    fmt::format_to(to, "  {}: {}\n", repair.what, describe(repair.amounts));
  text += core::describe_losses(recovery.losses);
  for (const std::string& note : recovery.notes) fmt::format_to(to, "  {}\n", note);
  return text + describe_findings(recovery.report) + describe_outcome(recovery);
}

std::string make_json(const Recovery& recovery, const SummaryNames& names) {
  std::string out;
  core::JsonWriter json(out, core::JsonLayout::pretty);
  json.begin_object();
  json.member("heapcheck", names.version);
  json.member("input", names.input);
  json.member("output", names.output);
  json.member("format", name_of(recovery.target));
  json.member("is_written", recovery.is_written);
  json.member("has_lost", recovery.has_lost);
  write_amounts(json, "kept", recovery.kept);
  write_amounts(json, "dropped", recovery.dropped);
  // Not grouped as in the text, so that scripts can find each snapshot.
  core::write_rows(json, "dropped_parts", recovery.dropped_parts, write_dropped_part);
  json.member("more_dropped_parts", recovery.more_dropped_parts);
  core::write_rows(json, "changes", recovery.repairs, write_repair);
  core::write_rows(json, "losses", recovery.losses, write_loss);
  json.begin_array("notes");
  for (const std::string& note : recovery.notes) json.string(note);
  json.end_array();
  write_findings(json, recovery.report);
  json.end_object();
  return out + '\n';
}

}  // namespace heapcheck::recovery
