// Describes what a recovery kept, dropped and changed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heapcheck/types/format.hpp"
#include "heapcheck/types/report.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck {

/// A change that was made to the parts that were kept, such as `metadata rebuilt`, and how much it affects.
struct Repair {
  std::string what;             ///< the change, in a few words
  std::vector<Amount> amounts;  ///< the number of changed items of each kind
};

/// A part of the input that was dropped: a snapshot, an event, a heap dump in an event, or a member of a
/// trace.
struct DroppedPart {
  std::string kind;                         ///< `snapshot`, `event`, `heap dump` or `member`
  std::optional<std::uint64_t> index = {};  ///< the index of the snapshot or event in the input, from 0
  std::string name;    ///< human-readable, such as `snapshot 1` or `heap dump 0x1 of process 7, event 5`
  std::string reason;  ///< why it was dropped, in a few words
};

/// The result of a recovery. Nothing is written if no part of a damaged dump can be kept, or if the target
/// cannot represent everything and losses were not allowed.
struct Recovery {
  bool is_written = false;  ///< whether there is an output
  bool is_refused = false;  ///< whether the output was refused because of `losses`
  /// Whether anything was dropped or changed, or the input has errors that may mean that something is
  /// missing.
  bool has_lost = false;
  /// Whether all errors are wrong counts, sizes, offsets or orders. These are recomputed, so nothing is lost.
  bool has_only_wrong_counts = false;
  Report report;             ///< the report on the input
  Target target{};           ///< the target that was written
  std::string unit;          ///< the kind of item that every output must contain: `snapshot`, `node` or
                             ///< `event`
  std::vector<Amount> kept;  ///< content from the input that is in the output, not counting placeholders
  /// Content that the input mentions or contains but the output does not. Empty if nothing was dropped.
  std::vector<Amount> dropped;
  std::vector<DroppedPart> dropped_parts;  ///< snapshots, events and members that were dropped, and why
  std::uint64_t more_dropped_parts = 0;    ///< the number of dropped parts not listed because there are too
                                           ///< many
  std::vector<Repair> repairs;             ///< changes to the parts that were kept
  std::vector<Loss> losses;                ///< items that the target cannot represent
  std::vector<std::string> notes;          ///< further information for the user, one clause each
};

}  // namespace heapcheck
