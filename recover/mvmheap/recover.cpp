#include "recover/mvmheap/recover.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/core/source.hpp"
#include "formats/mvmheap/summary.hpp"
#include "formats/open.hpp"
#include "recover/mvmheap/plan.hpp"

namespace heapcheck::recovery::mvmheap {
namespace {

using model::Part;

/// Makes the metadata of kept snapshots valid: computes totals and highscores from the graph, and keeps the
/// times unless they run backwards.
class MetaRepair {
 public:
  MetaRepair(model::FileMeta& file_meta, const Limits& limits) : file_meta_(&file_meta), limits_(&limits) {
    constexpr std::uint64_t most_places = 10'000;
    if (file_meta.entry_count > most_places) file_meta = {};
    file_meta.subversion = model::FileMeta{}.subversion;  // the subversion that is always written
  }

  Result<void> repair(Part& part) {
    const model::Summary summary = model::summarise(part.snapshot.collectables, part.after);
    model::SnapshotMeta meta = model::make_snapshot_meta(part.snapshot, summary);
    const model::SnapshotMeta found = part.meta.value_or(last_);
    const std::uint64_t uncounted = model::count_stack_frames(part.snapshot.collectables, summary);
    if (found.total_frames <= meta.total_frames && meta.total_frames - found.total_frames <= uncounted)
      meta.total_frames = found.total_frames;
    meta.snap_time = std::max({found.snap_time, last_.snap_time, file_meta_->start_time});
    meta.gc_seq_num = std::max(found.gc_seq_num, last_.gc_seq_num);
    const bool is_other = part.meta != meta;
    rebuilt_ += is_other ? 1U : 0U;
    replaced_ += is_other && part.meta ? 1U : 0U;
    part.meta = last_ = meta;
    auto highscores = model::make_highscores(summary, *file_meta_, *limits_);
    if (!highscores) return std::unexpected(std::move(highscores.error()));
    part.highscores = std::move(*highscores);
    return {};
  }
  [[nodiscard]] std::uint64_t rebuilt() const { return rebuilt_; }
  [[nodiscard]] std::uint64_t replaced() const { return replaced_; }

 private:
  model::FileMeta* file_meta_;
  const Limits* limits_;
  model::SnapshotMeta last_;
  std::uint64_t rebuilt_ = 0;
  std::uint64_t replaced_ = 0;
};

Result<void> write_kept(model::DumpReader& reader, const Plan& plan, const model::Capacity& capacity,
                        MetaRepair& metas, model::DumpWriter& writer) {
  const model::Tables& tables = plan.survey.tables;
  std::size_t snapshot = 0;
  std::uint64_t written = 0;
  while (Part* part = reader.read_part()) {
    if (!part->has_snapshot || snapshot == plan.snapshots.size()) continue;
    if (!plan.snapshots[snapshot++].reason.empty()) continue;
    part->after = capacity.holds_table_growth ? plan.survey.seen[written] : tables.counts();
    part->index = written++;
    if (capacity.holds_metas) {
      if (auto repaired = metas.repair(*part); !repaired) return repaired;
    }
    if (auto wrote = writer.write_part(*part, tables); !wrote) return wrote;
  }
  if (snapshot != plan.snapshots.size()) return core::make_changed();
  return writer.finish(tables);
}

/// Counts the snapshots that are dropped. If damage splits a snapshot in two, more snapshots are found than
/// the file states. If a snapshot is not found, its content is unknown.
void count_dropped(const Plan& plan, Recovery& recovery) {
  const std::uint64_t all =
      std::max(plan.declared_snapshots.value_or(plan.snapshots.size()), recovery.kept.snapshots);
  const std::uint64_t most = all - recovery.kept.snapshots;
  for (const Candidate& snapshot : plan.snapshots) {
    if (snapshot.reason.empty() || recovery.dropped_snapshots.size() == most) continue;
    recovery.dropped += snapshot.original;
    recovery.dropped_snapshots.push_back({snapshot.index, snapshot.reason});
  }
  recovery.dropped.snapshots = most;
  if (most == recovery.dropped_snapshots.size()) return;
  recovery.dropped.is_all_collectables = recovery.dropped.is_all_references = false;
}

Recovery describe(const Plan& plan) {
  Recovery recovery;
  for (const Candidate& snapshot : plan.snapshots) {
    if (snapshot.reason.empty()) recovery.kept += snapshot.amounts;
  }
  count_dropped(plan, recovery);
  recovery.rows = plan.rows;
  recovery.placeholders = plan.placeholders;
  return recovery;
}

/// Returns the reason, other than damage, why a part of the dump could not be read.
std::optional<Error> find_obstacle(const formats::OpenedDump& dump, const FirstError& sink) {
  if (const auto error = dump.error(); error && error->kind != ErrorKind::damaged) return error;
  if (sink.limit()) return Error{ErrorKind::limit, *sink.limit()};
  return std::nullopt;
}

/// The second pass: writes the snapshots that `plan` keeps, and records the changes in `recovery`.
Result<void> write_plan(const formats::RereadableDump& dump, Plan& plan, const RecoverOptions& options,
                        core::ByteSink& out, Recovery& recovery) {
  FirstError sink;
  auto opened = dump.open(sink);
  if (!opened) return std::unexpected(std::move(opened.error()));
  const model::WrittenLayout& layout = conversion::mvmheap::layout_of(recovery.target);
  MetaRepair metas(plan.survey.file_meta, options.limits);
  const auto writer = layout.make_writer(out, plan.survey.file_meta, options.write);
  auto wrote = write_kept(*opened->reader, plan, layout.capacity, metas, *writer);
  if (!wrote) return wrote;
  if (const auto error = opened->error(); error && error->kind != ErrorKind::damaged)
    return std::unexpected(*error);
  recovery.rebuilt_metas = metas.rebuilt();
  recovery.replaced_metas = metas.replaced();
  return {};
}

/// Whether the content of a file that was written in text mode, without the bytes that text mode added, is
/// already the result. In version 3, the offsets in tables of contents may have to be corrected.
bool is_result(const formats::OpenedDump& dump, const Recovery& recovery, const RecoverOptions& options) {
  return options.is_text_mode && !options.target && dump.format != Format::mvmheap_v3 && !recovery.has_lost();
}

/// Writes the content of the file, without the bytes that text mode added.
Result<void> write_content(const formats::RereadableDump& dump, core::ByteSink& out) {
  const auto input = dump.open_bytes();
  if (!input) return std::unexpected(input.error());
  core::Window& window = *input->window;
  for (core::ByteSpan bytes = window.peek(1); !bytes.empty(); bytes = window.peek(1)) {
    if (auto wrote = out.write(bytes); !wrote) return wrote;
    window.consume(bytes.size());
  }
  if (window.error()) return std::unexpected(*window.error());
  return {};
}

}  // namespace

Result<Recovery> recover(const formats::RereadableDump& dump, const RecoverOptions& options,
                         core::ByteSink& out) {
  FirstError sink;
  auto opened = dump.open(sink);
  if (!opened) return std::unexpected(std::move(opened.error()));
  Plan plan = make_plan(*opened->reader, options);
  if (auto obstacle = find_obstacle(*opened, sink)) return std::unexpected(std::move(*obstacle));
  Recovery recovery = describe(plan);
  recovery.target = options.target.value_or(conversion::mvmheap::usual_target(opened->format, plan.survey));
  const bool is_damaged = options.is_damaged || sink.error();
  if (recovery.kept.snapshots == 0 && (!plan.snapshots.empty() || is_damaged)) return recovery;
  if (is_result(*opened, recovery, options)) {
    if (auto wrote = write_content(dump, out); !wrote) return std::unexpected(std::move(wrote.error()));
    return recovery;
  }
  recovery.losses =
      conversion::mvmheap::find_losses(plan.survey, conversion::mvmheap::layout_of(recovery.target).capacity);
  recovery.is_refused = options.target && !options.allow_loss && !recovery.losses.empty();
  if (recovery.is_refused) return recovery;
  opened->reader.reset();  // restores the dump that was kept in memory
  if (auto wrote = write_plan(dump, plan, options, out, recovery); !wrote)
    return std::unexpected(std::move(wrote.error()));
  return recovery;
}

}  // namespace heapcheck::recovery::mvmheap
