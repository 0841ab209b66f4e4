#include "formats/mvmheap/v1/part.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace heapcheck::mvmheap::v1 {
namespace {

void append_collectables(const RowBlock& rows, Collectables& collectables) {
  collectables.kind.append(rows.column(0));
  collectables.type_or_frame_index.append(rows.column(1));
  collectables.size.append(rows.column(2));
  collectables.unmanaged_size.append(rows.column(3));
  collectables.refs_start.append(rows.column(4));
  collectables.num_refs.append(rows.column(5));
}

void append_references(const RowBlock& rows, References& references) {
  std::array<std::uint64_t, RowBlock::capacity> descriptions;
  for (std::size_t i = 0; i < rows.count; ++i) {
    descriptions[i] = rows.columns[1][i] << 2 | rows.columns[0][i];
  }
  references.description.append(std::span(descriptions).first(rows.count));
  references.target.append(rows.column(2));
  references.notes.update(references.description);
}

}  // namespace

void append_rows(const RowBlock& rows, LineKind kind, Tables& tables) {
  const auto append = [&rows](const auto& columns) {
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i]->append(rows.column(i));
  };
  kind == LineKind::types ? append(columns_of(tables.types)) : append(columns_of(tables.static_frames));
}

void append_rows(const RowBlock& rows, LineKind kind, Snapshot& snapshot) {
  if (kind == LineKind::collectables) {
    append_collectables(rows, snapshot.collectables);
  } else {
    append_references(rows, snapshot.references);
  }
}

void reserve_references(Snapshot& snapshot) {
  constexpr std::uint64_t likely_per_collectable = 8;
  const Collectables& collectables = snapshot.collectables;
  std::uint64_t announced = 0;
  for (const std::uint32_t count : collectables.num_refs.narrow()) announced += count;
  announced = std::min(announced, likely_per_collectable * collectables.count());
  snapshot.references.description.reserve(announced);
  snapshot.references.target.reserve(announced);
}

}  // namespace heapcheck::mvmheap::v1
