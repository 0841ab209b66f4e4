// Rules that every snapshot from MoarVM follows, although readers do not depend on them. A snapshot that
// violates one of them contradicts itself, so it must have been changed after it was written. All of these
// rules are warnings. They apply to all versions of MoarVM dumps.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/part.hpp"
#include "validate/mvmheap/rules.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap {

/// mvm.collectable.root-count, once per snapshot.
void check_root_counts(const SnapshotView& view, core::FindingSink& sink);

/// The name of references from objects and type objects to their STables.
inline constexpr std::string_view stable_name = "<STable>";

/// Returns the mvm.refs.stable finding for a snapshot, if the snapshot violates this rule. `name` is the
/// string index of stable_name. The ranges and targets of references must follow the rules.
std::optional<Finding> find_wrong_stable(const SnapshotView& view, std::uint64_t name);

/// Checks these rules in all snapshots of a file. Borrows the tables.
class WriterRules {
 public:
  explicit WriterRules(const model::Tables& tables) : tables_(&tables) {}

  /// Checks a snapshot whose graph does not violate any other rule.
  void check(const SnapshotView& view, core::FindingSink& sink);
  /// Runs the checks that need strings stored after the snapshots.
  void check_late(core::FindingSink& sink);

 private:
  struct Late {
    std::uint64_t name;
    Finding finding;
  };

  const model::Tables* tables_;
  std::uint64_t searched_ = 0;  // the number of strings that have been searched for the name
  std::optional<std::uint64_t> name_;
  std::vector<Late> late_;
};

}  // namespace heapcheck::validation::mvmheap
