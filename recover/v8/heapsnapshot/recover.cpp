#include "recover/v8/heapsnapshot/recover.hpp"

#include <utility>

#include "convert/reread.hpp"
#include "formats/v8/heapsnapshot/writer.hpp"
#include "recover/v8/heapsnapshot/repair.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {

Result<Recovery> repair(Snapshot& snapshot, const Limits& limits) {
  Recovery recovery;
  recovery.lost_members = snapshot.unknown_members;
  if (!can_repair(snapshot)) return recovery;
  repair_sections(snapshot, recovery);
  const RowSet nodes = repair_graph(snapshot, recovery);
  if (recovery.kept_nodes == 0) return recovery;
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
  auto recovery = repair(*snapshot, limits);
  if (!recovery || recovery->kept_nodes == 0) return recovery;
  if (auto wrote = format::write_snapshot(*snapshot, out); !wrote)
    return std::unexpected(std::move(wrote.error()));
  return recovery;
}

}  // namespace heapcheck::recovery::v8::heapsnapshot
