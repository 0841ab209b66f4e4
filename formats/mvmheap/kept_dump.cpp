#include "formats/mvmheap/kept_dump.hpp"

#include <utility>

namespace heapcheck::mvmheap {
namespace {

/// Whether a part replaces all rows of the tables, so that rows from earlier parts are lost.
bool begins_tables_anew(const Part& part) {
  return !part.has_snapshot && part.index != 0 && part.before == TableCounts{};
}

}  // namespace

void PartKeeper::keep(Part& part) {
  const std::uint64_t memory =
      sizeof(Part) + part.snapshot.memory() + part.highscores.ids.memory() + part.highscores.scores.memory();
  is_whole_ = is_whole_ && memory <= left_ && !begins_tables_anew(part);
  if (!is_whole_) return dump_.parts.clear();
  left_ -= memory;
  dump_.parts.push_back(std::move(part));
}

std::optional<KeptDump> PartKeeper::take(const Tables& tables, const Tables* repeated,
                                         const FileMeta* file_meta) {
  const std::uint64_t memory = tables.memory() + (repeated == nullptr ? 0 : repeated->memory());
  if (!is_whole_ || memory > left_) return std::nullopt;
  dump_.tables = tables;
  if (repeated != nullptr) dump_.repeated = *repeated;
  if (file_meta != nullptr) dump_.file_meta = *file_meta;
  return std::move(dump_);
}

Part* KeptReader::read_part() {
  restore();
  if (next_ == dump_->parts.size()) return nullptr;
  Part& part = dump_->parts[next_++];
  saved_ = Saved{.index = part.index, .after = part.after, .meta = part.meta, .highscores = part.highscores};
  return &part;
}

/// Does not allocate memory, because the destructor may call this after memory has run out.
void KeptReader::restore() noexcept {
  if (!saved_) return;
  Part& part = dump_->parts[next_ - 1];
  part.index = saved_->index;
  part.after = saved_->after;
  part.meta = saved_->meta;
  part.highscores = std::move(saved_->highscores);
  saved_.reset();
}

}  // namespace heapcheck::mvmheap
