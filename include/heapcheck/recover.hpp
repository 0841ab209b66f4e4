// Writes the intact parts of a damaged dump as a sound dump, and lists the parts that were kept and lost.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heapcheck/convert.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/types/report.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck {

/// The options for a recovery.
struct RecoverOptions {
  /// For MoarVM dumps: the version to write; by default that of the input.
  std::optional<Target> target = {};
  bool allow_loss = false;         ///< whether to write the output even if `target` cannot hold everything
  bool placeholder_names = false;  ///< whether to keep snapshots even if their names are lost
  int level = 9;                   ///< of zstd, 1 to 19, if the target is compressed
  bool is_in_place = false;        ///< whether the output may replace the input
  bool keeps_times = false;        ///< whether the output gets the input's times of access and modification
  ReadOptions read = {};           ///< how the input is read
};

/// A change that was made to the kept parts, such as `metadata rebuilt`, and its extent.
struct Repair {
  std::string what;             ///< the change, in a few words
  std::vector<Amount> amounts;  ///< the kinds of items that it was made to, and the number of each
};

/// A part of the input that was dropped: a snapshot, an event, a heap dump in an event, or a member of a
/// trace.
struct DroppedPart {
  std::string kind;                         ///< `snapshot`, `event`, `heap dump` or `member`
  std::optional<std::uint64_t> index = {};  ///< of the snapshot or event in the input, from 0
  std::string name;    ///< for people: `snapshot 1`, `heap dump 0x1 of process 7, event 5`
  std::string reason;  ///< why it was dropped, in a few words
};

/// The result of a recovery. Nothing is written if nothing of a damaged dump can be kept, or if the target
/// cannot hold everything and the loss was not allowed.
struct Recovery {
  bool is_written = false;  ///< whether there is an output
  bool is_refused = false;  ///< whether there is none because of `losses`
  bool has_lost = false;    ///< whether the input has errors or anything was dropped or changed
  /// Whether all errors are wrong counts, sizes and offsets, which are computed anew, so that nothing is
  /// lost.
  bool has_only_wrong_counts = false;
  Report report;             ///< of the input
  Target target{};           ///< what was written
  std::string unit;          ///< an output needs at least one of these: `snapshot`, `node` or `event`
  std::vector<Amount> kept;  ///< content of the input that is in the output; excludes placeholders
  /// Content that the input states or contains but the output does not. Empty if nothing was dropped.
  std::vector<Amount> dropped;
  std::vector<DroppedPart> dropped_parts;  ///< snapshots, events and members that were dropped, and why
  std::uint64_t more_dropped_parts = 0;    ///< those that are not listed, because there are too many
  std::vector<Repair> repairs;             ///< changes to the parts that are kept
  std::vector<Loss> losses;                ///< what the target cannot represent
  std::vector<std::string> notes;          ///< what else a user needs to know, one clause each
};

/// Writes the intact parts of the dump at `input` to `output`, which must be a file. The output gets its name
/// once it is complete and has been checked. Errors: those of open(); damaged; limit; unsupported if dumps of
/// this format cannot be written in the target format; unwritable, including if the output is the input.
[[nodiscard]] HEAPCHECK_API Result<Recovery> recover(const std::string& input, const std::string& output,
                                                     const RecoverOptions& options = {});
/// The same for an open dump. Content that was kept when it was validated is not read again.
[[nodiscard]] HEAPCHECK_API Result<Recovery> recover(const Dump& dump, const std::string& output,
                                                     const RecoverOptions& options = {});

}  // namespace heapcheck
