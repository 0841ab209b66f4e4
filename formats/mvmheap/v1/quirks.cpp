#include "formats/mvmheap/v1/quirks.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace heapcheck::mvmheap::v1 {
namespace {

constexpr unsigned kind_bits = 2;

bool is_kind(std::uint64_t description, ReferenceKind kind) {
  return description == static_cast<std::uint64_t>(kind);
}

/// Whether the first reference of the root, read as a usual one, leads to the root itself. It is the one to
/// the permanent roots, whose name is string 0.
bool begins_at_name(const Snapshot& snapshot) {
  const Collectables& collectables = snapshot.collectables;
  if (collectables.count() < 2 || collectables.num_refs[0] == 0) return false;
  // A pass that forgets columns looks for a root that refers to itself, and then asks for all columns.
  if (collectables.refs_start.forgotten() != 0) return false;
  const References& references = snapshot.references;
  const std::uint64_t first = collectables.refs_start[0];
  return first < references.count() && references.target[first] == 0 &&
         is_kind(references.description[first], ReferenceKind::string);
}

/// Whether no second field is set, and no third one in references of the kind that has no index.
bool has_only_indices(const References& references) {
  for (std::uint64_t i = 0; i < references.count(); ++i) {
    const std::uint64_t description = references.description[i];
    if (description >> kind_bits != 0) return false;
    if (is_kind(description, ReferenceKind::unknown) && references.target[i] != 0) return false;
  }
  return true;
}

/// Whether a collectable other than the root is not the target of any reference.
bool has_untargeted(const Snapshot& snapshot) {
  std::vector<bool> is_target(static_cast<std::size_t>(snapshot.collectables.count()));
  is_target[0] = true;
  for (std::uint64_t i = 0; i < snapshot.references.count(); ++i) {
    const std::uint64_t row = snapshot.references.target[i];
    if (row < is_target.size()) is_target[static_cast<std::size_t>(row)] = true;
  }
  return std::ranges::find(is_target, false) != is_target.end();
}

}  // namespace

bool lacks_targets(const Snapshot& snapshot) {
  return begins_at_name(snapshot) && has_only_indices(snapshot.references) && has_untargeted(snapshot);
}

void move_indices(References& references) {
  Column<std::uint32_t> description;
  description.reserve(references.count());
  for (std::uint64_t i = 0; i < references.count(); ++i)
    description.push_back(references.target[i] << kind_bits | references.description[i]);
  const std::uint64_t count = references.count();
  references.description = std::move(description);
  references.target.clear();
  for (std::uint64_t i = 0; i < count; ++i) references.target.push_back(0);
  references.notes = {};
  references.notes.update(references.description);
  references.has_targets = false;
}

}  // namespace heapcheck::mvmheap::v1
