// Writes what is whole in a damaged dump as a sound dump, and says what that was.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heapcheck/convert.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/report.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck {

/// How a dump is recovered.
struct RecoverOptions {
  /// Of MoarVM dumps: what to write; the input's own version where it is not given.
  std::optional<Target> target = {};
  bool placeholder_names = false;  ///< keep also snapshots whose names are lost
  int level = 9;                   ///< of zstd, 1 to 19, where the target compresses
  bool is_in_place = false;        ///< the output may replace the input
  ReadOptions read = {};           ///< how the input is read
};

/// Something that was done to what is kept: `metadata rebuilt`, and of what.
struct Repair {
  std::string what;             ///< a few words
  std::vector<Amount> amounts;  ///< of what, and how much
};

/// What came of a recovery. Nothing is written where nothing of a damaged dump can be kept.
struct Recovery {
  bool is_written = false;           ///< whether there is an output
  bool has_lost = false;             ///< something is not there any more or is not what it was
  Report report;                     ///< of the input
  Target target{};                   ///< what was written
  std::string unit;                  ///< what none was kept of if nothing was written, such as `snapshot`
  std::vector<Amount> kept;          ///< what the output holds
  std::vector<Amount> dropped;       ///< as far as it could be read; empty where nothing was
  std::vector<std::string> reasons;  ///< why, one for each snapshot that was dropped
  std::vector<Repair> repairs;       ///< what was done to it
  std::vector<Loss> losses;          ///< what the target cannot hold
};

/// Writes what is whole in the dump at `input` to `output`, which must be a file. The output gets its name
/// when it is complete and was checked. Errors: those of open(); damaged; limit; unsupported, where the
/// format or the target is not one that is recovered; unwritable, also where the output is the input.
[[nodiscard]] HEAPCHECK_API Result<Recovery> recover(const std::string& input, const std::string& output,
                                                     const RecoverOptions& options = {});
/// The same for an open dump: what was read of it to validate it is not read again.
[[nodiscard]] HEAPCHECK_API Result<Recovery> recover(const Dump& dump, const std::string& output,
                                                     const RecoverOptions& options = {});

}  // namespace heapcheck
