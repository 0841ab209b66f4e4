#include "recover/recover.hpp"

#include <algorithm>
#include <array>
#include <ranges>
#include <string_view>
#include <tuple>
#include <utility>

#include "convert/plan.hpp"
#include "formats/core/faults.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/mvmheap/faults.hpp"
#include "formats/open.hpp"
#include "recover/chrome/recover.hpp"
#include "recover/mvmheap/recover.hpp"
#include "recover/v8/heapprofile/recover.hpp"
#include "recover/v8/heapsnapshot/recover.hpp"

namespace heapcheck::recovery {
namespace {

void add_repair(Recovery& recovery, std::string what, std::string unit, std::uint64_t count) {
  if (count != 0) recovery.repairs.push_back({std::move(what), {{std::move(unit), count}}});
}

std::vector<Amount> count(const mvmheap::Amounts& amounts) {
  return {{"snapshots", amounts.snapshots},
          {"collectables", amounts.collectables, !amounts.is_all_collectables},
          {"references", amounts.references, !amounts.is_all_references}};
}

std::vector<Amount> count(const heapcheck::mvmheap::TableCounts& rows) {
  return {{"strings", rows.strings}, {"types", rows.types}, {"static frames", rows.static_frames}};
}

/// The rows of the input that are in the output.
heapcheck::mvmheap::TableCounts find_real_rows(const mvmheap::Recovery& done) {
  const auto& [rows, made] = std::tie(done.rows, done.placeholders);
  return {rows.strings - made.strings, rows.types - made.types, rows.static_frames - made.static_frames};
}

/// The amounts that are unknown or are known not to be 0.
std::vector<Amount> without_zeros(std::vector<Amount> amounts) {
  std::erase_if(amounts, [](const Amount& amount) { return amount.count == 0 && !amount.is_least; });
  return amounts;
}

std::vector<DroppedPart> list_dropped(const mvmheap::Recovery& done) {
  std::vector<DroppedPart> parts;
  for (const auto& snapshot : done.dropped_snapshots)
    parts.push_back(
        {"snapshot", snapshot.index, "snapshot " + std::to_string(snapshot.index), snapshot.reason});
  if (const std::uint64_t unseen = done.dropped.snapshots - parts.size(); unseen != 0)
    parts.push_back({"snapshot", {}, core::counted(unseen, "snapshot"), "in the index, but not found"});
  return parts;
}

Recovery describe(const mvmheap::Recovery& done) {
  Recovery recovery;
  recovery.is_refused = done.is_refused;
  recovery.is_written = done.kept.snapshots != 0 && !done.is_refused;
  recovery.has_lost = done.has_lost();
  recovery.target = done.target;
  recovery.unit = "snapshot";
  recovery.kept = count(done.kept);
  for (Amount& rows : count(find_real_rows(done))) recovery.kept.push_back(std::move(rows));
  recovery.dropped = without_zeros(count(done.dropped));
  recovery.dropped_parts = list_dropped(done);
  if (done.placeholders != heapcheck::mvmheap::TableCounts{})
    recovery.repairs.push_back({"placeholders instead of lost names", count(done.placeholders)});
  add_repair(recovery, "metadata rebuilt", "snapshots", done.rebuilt_metas);
  recovery.losses = done.losses;
  return recovery;
}

Recovery describe(const v8::heapsnapshot::Recovery& done) {
  Recovery recovery;
  recovery.is_written = done.real_nodes() != 0;
  recovery.has_lost = done.has_lost();
  recovery.target = {.format = Format::v8_heapsnapshot};
  recovery.unit = "node";
  recovery.kept = {{"nodes", done.real_nodes()}, {"edges", done.kept_edges}};
  if (done.likely_nodes != 0 || done.likely_edges != 0) {
    recovery.repairs.push_back({"likely but not certain, because they are next to the damage",
                                {{"nodes", done.likely_nodes}, {"edges", done.likely_edges}}});
  }
  recovery.dropped = without_zeros({{"nodes", done.dropped_nodes},
                                    {"edges", done.dropped_edges},
                                    {"rows of other sections", done.dropped_rows}});
  add_repair(recovery, "placeholders for lost nodes", "", done.placeholders);
  add_repair(recovery, "lost names", "", done.lost_names);
  add_repair(recovery, "strings that occurred twice, now once", "", done.doubled_strings);
  add_repair(recovery, "changed numbers (types, ids, calls, locations)", "", done.changed_values);
  add_repair(recovery, "functions missing from the count in the header", "", done.uncounted_functions);
  add_repair(recovery, "names of types added to `node_types`", "", done.added_types);
  add_repair(recovery, "missing sections, now empty", "", done.added_sections);
  recovery.losses = conversion::v8::find_losses(done.lost_members);
  return recovery;
}

Recovery describe(const v8::heapprofile::Recovery& done) {
  Recovery recovery;
  recovery.is_written = done.real_nodes() != 0;
  recovery.has_lost = done.has_lost();
  recovery.target = {.format = Format::v8_heapprofile};
  recovery.unit = "node";
  recovery.kept = {{"nodes", done.real_nodes()}, {"samples", done.kept_samples}};
  recovery.dropped = without_zeros({{"nodes", done.dropped_nodes, !done.has_all_nodes},
                                    {"samples", done.dropped_samples, !done.has_all_samples}});
  add_repair(recovery, "nodes with a lost function or size, which are kept for the nodes below them", "",
             done.repaired_nodes);
  add_repair(recovery, "nodes with a new id", "", done.new_ids);
  recovery.losses = conversion::v8::find_losses(done.lost_members);
  return recovery;
}

/// Lists the dropped events that are described, and the dropped members.
void list_dropped(const chrome::Recovery& done, Recovery& recovery) {
  for (const auto& [index, event] : done.events) {
    if (recovery.dropped_parts.size() == chrome::max_described) break;
    recovery.dropped_parts.push_back(
        {event.has_heaps ? "heap dump" : "event", index, event.what, event.reason});
  }
  recovery.more_dropped_parts = done.dropped_events - recovery.dropped_parts.size();
  for (const auto& member : done.members)
    recovery.dropped_parts.push_back({"member", {}, member.what, member.reason});
}

/// Notes that state why the trace has no heap dumps, what is unknown, and why the warnings in `report` still
/// apply to the trace.
std::vector<std::string> make_notes(const chrome::Recovery& done, const Report& report) {
  std::vector<std::string> notes;
  if (done.kept_dumps == 0 && !done.has_lost()) notes.emplace_back("the trace " + done.lack);
  if (done.kept_dumps == 0 && done.has_lost()) notes.emplace_back("no heap dump could be kept");
  if (done.is_cut)
    notes.emplace_back("the trace ends early: events after its end are lost, and their number is unknown");
  if (report.count(Severity::warning) != 0)
    notes.emplace_back("events are kept byte for byte, so values that contradict each other are not changed");
  return notes;
}

Recovery describe(const chrome::Recovery& done) {
  Recovery recovery;
  recovery.is_written = done.kept_events != 0;
  recovery.has_lost = done.has_lost();
  recovery.target = {.format = done.format};
  recovery.unit = "event";
  recovery.kept = {{"events", done.kept_events}, {"heap dumps", done.kept_dumps}};
  recovery.dropped = without_zeros({{"events", done.dropped_events},
                                    {"heap dumps", done.dropped_dumps},
                                    {"members of the trace", done.dropped_members},
                                    {"bytes of text that could not be read", done.dropped_bytes}});
  list_dropped(done, recovery);
  add_repair(recovery, "commas and brackets added or removed", "", done.punctuation_changes);
  return recovery;
}

template <class Done>
Result<Recovery> describe(Result<Done> done) {
  if (!done) return std::unexpected(std::move(done.error()));
  return describe(*done);
}

Result<Recovery> recover_trace(const Input& input, core::ByteSink& out) {
  const auto done = chrome::recover(input.source, input.limits, out);
  auto recovery = describe(done);
  if (recovery) recovery->notes = make_notes(*done, input.report);
  return recovery;
}

/// Whether text mode added bytes to the file.
bool has_text_mode(const Report& report) {
  return std::ranges::find(report.findings, &heapcheck::mvmheap::rules::file_text_mode, &Finding::rule) !=
         report.findings.end();
}

Result<Recovery> recover_mvmheap(const Input& input, const Request& request, core::ByteSink& out) {
  const auto is_other_error = [](const Finding& finding) {
    return finding.severity == Severity::error && finding.rule != &heapcheck::mvmheap::rules::file_text_mode;
  };
  const bool is_damaged = input.report.verdict == Verdict::undecided ||
                          std::ranges::any_of(input.report.findings, is_other_error);
  const formats::RereadableDump dump(input.source, input.limits,
                                     std::get_if<heapcheck::mvmheap::KeptDump>(&input.content.model),
                                     *input.report.format);
  return describe(mvmheap::recover(dump,
                                   {.limits = input.limits,
                                    .is_damaged = is_damaged,
                                    .is_text_mode = has_text_mode(input.report) && !is_damaged,
                                    .target = request.target,
                                    .placeholder_names = request.placeholder_names,
                                    .allow_loss = request.allow_loss,
                                    .write = {request.level}},
                                   out));
}

Result<Recovery> recover_family(const Input& input, const Request& request, core::ByteSink& out) {
  if (input.content.obstacle) return std::unexpected(*input.content.obstacle);
  switch (family_of(*input.report.format)) {
    case Family::mvmheap:
      return recover_mvmheap(input, request, out);
    case Family::v8_heapprofile:
      return describe(v8::heapprofile::recover(input.source, input.content, input.limits, out));
    case Family::v8_heapsnapshot:
      return describe(v8::heapsnapshot::recover(input.source, input.content, input.limits, out));
    case Family::trace:
      return recover_trace(input, out);
  }
  return std::unexpected(Error{ErrorKind::unsupported, "cannot be recovered"});
}

/// Whether writing a dump corrects the error: counts, sizes, offsets and the order of parts are computed
/// anew, and bytes that text mode added are removed. The counts of strings and snapshots are excluded,
/// because a wrong count may mean that some strings or snapshots are missing. So are entries of a table of
/// contents that point to no block, because a block may be missing there.
bool is_wrong_count(const Finding& finding) {
  constexpr std::array<std::string_view, 17> ids{"mvm.file.text-mode",
                                                 "mvm2.index.",
                                                 "mvm2.section.count",
                                                 "mvm2.trailer.frames-size",
                                                 "mvm2.trailer.strings-size",
                                                 "mvm2.trailer.types-size",
                                                 "mvm3.block.size",
                                                 "mvm3.toc.count",
                                                 "mvm3.toc.duplicate-entry",
                                                 "mvm3.toc.entry-end",
                                                 "mvm3.toc.entry-kind",
                                                 "mvm3.toc.entry-order",
                                                 "mvm3.toc.own-start",
                                                 "v8snap.edges.count",
                                                 "v8snap.nodes.count",
                                                 "v8snap.section.order",
                                                 "v8snap.trace-functions.count"};
  return !finding.location.path.ends_with("/strings") &&
         std::ranges::any_of(ids, [&](std::string_view id) { return finding.rule->id.starts_with(id); });
}

bool has_only_wrong_counts(const Recovery& recovery) {
  const auto is_error = [](const Finding& finding) { return finding.severity == Severity::error; };
  auto errors = recovery.report.findings | std::views::filter(is_error);
  return recovery.dropped.empty() && recovery.repairs.empty() && recovery.losses.empty() && !errors.empty() &&
         std::ranges::all_of(errors, is_wrong_count);
}

/// Whether the compression around the file is damaged rather than merely truncated. If so, either a wrong
/// checksum shows that something in the content is wrong, or the content could not be checked against a
/// checksum.
bool has_damaged_compression(const Report& report) {
  return std::ranges::any_of(report.findings, [](const Finding& finding) {
    return finding.rule == &core::rules::input_compression && !finding.message.contains("truncated");
  });
}

}  // namespace

std::vector<Target> find_targets(Format format) {
  if (family_of(format) == Family::trace) return {{.format = format}};
  return targets_of(family_of(format));
}

Result<Recovery> recover(const Input& input, const Request& request, core::ByteSink& out) {
  const bool is_corrupt = input.content.is_corrupt;
  auto recovery = recover_family(input, request, out);
  if (!recovery) return recovery;
  if (is_corrupt)
    recovery->notes.emplace_back("the compression around the input is damaged: what is kept may be wrong");
  // A sound dump may be empty, in which case there is nothing to keep and nothing is lost.
  const bool is_sound = input.report.verdict == Verdict::valid;
  recovery->is_written = recovery->is_written || (is_sound && !recovery->has_lost && !recovery->is_refused);
  const bool has_dropped = recovery->has_lost;
  recovery->has_lost = recovery->has_lost || !is_sound;
  recovery->report = input.report;
  if (has_text_mode(recovery->report))
    recovery->notes.emplace_back("removed the 0d bytes that text mode had inserted before 0a bytes");
  if (has_damaged_compression(recovery->report))
    recovery->repairs.push_back(
        {"likely but not certain, because the compression around the file is damaged", recovery->kept});
  recovery->has_only_wrong_counts = !has_dropped && has_only_wrong_counts(*recovery);
  if (recovery->has_only_wrong_counts) recovery->has_lost = false;
  return recovery;
}

}  // namespace heapcheck::recovery
