#include "recover/v8/heapsnapshot/recover.hpp"

#include <memory>
#include <utility>

#include "convert/plan.hpp"
#include "formats/core/finding_sink.hpp"
#include "formats/open.hpp"
#include "formats/v8/heapsnapshot/reader.hpp"
#include "formats/v8/heapsnapshot/writer.hpp"
#include "recover/v8/heapsnapshot/repair.hpp"
#include "recover/v8/heapsnapshot/repaired_source.hpp"
#include "recover/v8/heapsnapshot/string_alignment.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {

namespace {

/// The number of values and strings that were read.
std::uint64_t count_read(const Snapshot& snapshot) {
  std::uint64_t count = snapshot.strings.table.count() + snapshot.trace_tree.id.size();
  for (const format::Table& table : snapshot.tables) count += table.value_count;
  return count;
}

/// Reads the snapshot again. If `repairs` is true, reads it without its syntax errors.
Result<Snapshot> read_again(core::SeekableSource& source, const Limits& limits, bool repairs) {
  auto input = formats::unwrap(std::make_unique<core::RangeSource>(source, 0), limits);
  if (!input) return std::unexpected(std::move(input.error()));
  RepairedSource repaired(*input->source);
  core::Window window(repairs ? static_cast<core::ByteSource&>(repaired) : *input->source);
  core::SilentSink sink;
  return format::read_snapshot(window, limits, sink, false);
}

/// Reads the snapshot again without its syntax errors. If the original has more content, reads the original
/// once more. Only one model is in memory at a time.
Result<Snapshot> read_repaired(core::SeekableSource& source, const Limits& limits, Snapshot&& snapshot) {
  const std::uint64_t count = count_read(snapshot);
  snapshot = {};
  auto again = read_again(source, limits, true);
  const bool has_less = again && count_read(*again) < count;
  if (has_less) *again = {};
  return has_less ? read_again(source, limits, false) : std::move(again);
}

}  // namespace

Result<Recovery> repair(Snapshot& snapshot, const Limits& limits) {
  Recovery recovery;
  recovery.lost_members = snapshot.unknown_members;
  if (snapshot.is_whole) repair_order(snapshot, recovery);
  if (!can_repair(snapshot)) return recovery;
  repair_sections(snapshot, recovery);
  // If the strings are repaired first, they show which edges are named `map`.
  const bool is_graph_first = !has_counted_rows(snapshot);
  if (auto repaired = is_graph_first ? Result<void>{} : repair_strings(snapshot, limits, recovery); !repaired)
    return std::unexpected(std::move(repaired.error()));
  const RowSet nodes = repair_graph(snapshot, recovery);
  if (recovery.kept_nodes == 0) return recovery;
  if (auto repaired = is_graph_first ? repair_strings(snapshot, limits, recovery) : Result<void>{}; !repaired)
    return std::unexpected(std::move(repaired.error()));
  repair_traces(snapshot, recovery);
  repair_rows(snapshot, nodes, recovery);
  if (auto named = repair_names(snapshot, limits, recovery); !named)
    return std::unexpected(std::move(named.error()));
  repair_header(snapshot, recovery);
  return recovery;
}

Result<Recovery> recover(core::SeekableSource& source, formats::Content& content, const Limits& limits,
                         core::ByteSink& out) {
  auto snapshot = conversion::take_model<Snapshot>(source, content, limits);
  if (!snapshot) return std::unexpected(std::move(snapshot.error()));
  if (!snapshot->is_whole) snapshot = read_repaired(source, limits, std::move(*snapshot));
  if (!snapshot) return std::unexpected(std::move(snapshot.error()));
  auto recovery = repair(*snapshot, limits);
  if (!recovery || recovery->real_nodes() == 0) return recovery;
  if (auto wrote = format::write_snapshot(*snapshot, out); !wrote)
    return std::unexpected(std::move(wrote.error()));
  return recovery;
}

}  // namespace heapcheck::recovery::v8::heapsnapshot
