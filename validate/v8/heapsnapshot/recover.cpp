#include "validate/v8/heapsnapshot/recover.hpp"

#include <memory>
#include <utility>

#include "formats/core/window.hpp"
#include "formats/v8/heapsnapshot/reader.hpp"
#include "formats/v8/heapsnapshot/writer.hpp"
#include "validate/v8/heapsnapshot/mend.hpp"
#include "validate/v8/limit_watch.hpp"

namespace heapcheck::validate::v8::heapsnapshot {

core::Result<Recovery> mend(Snapshot& snapshot, const core::Limits& limits) {
  Recovery recovery;
  recovery.lost_members = snapshot.unknown_members;
  if (!can_mend(snapshot)) return recovery;
  mend_sections(snapshot, recovery);
  mend_graph(snapshot, recovery);
  if (recovery.kept_nodes == 0) return recovery;
  mend_traces(snapshot, recovery);
  mend_rows(snapshot, recovery);
  if (auto named = mend_names(snapshot, limits, recovery); !named)
    return std::unexpected(std::move(named.error()));
  mend_header(snapshot, recovery);
  return recovery;
}

core::Result<Recovery> recover(core::SeekableSource& source, const core::Limits& limits,
                               core::ByteSink& out) {
  auto input = core::unwrap(std::make_unique<core::RangeSource>(source, 0), limits);
  if (!input) return std::unexpected(std::move(input.error()));
  core::Window window(*input->source);
  LimitWatch watch;
  Snapshot snapshot = format::read_snapshot(window, limits, watch);
  if (auto obstacle = watch.find_obstacle(window)) return std::unexpected(std::move(*obstacle));
  auto recovery = mend(snapshot, limits);
  if (!recovery || recovery->kept_nodes == 0) return recovery;
  if (auto wrote = format::write_snapshot(snapshot, out); !wrote)
    return std::unexpected(std::move(wrote.error()));
  return recovery;
}

}  // namespace heapcheck::validate::v8::heapsnapshot
