// Writes the intact parts of a damaged dump as a sound dump, and lists which parts were kept and which were
// lost.
#pragma once

#include <optional>
#include <string>

#include "heapcheck/dump.hpp"
#include "heapcheck/types/recovery.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck {

/// The options for a recovery.
struct RecoverOptions {
  /// For MoarVM dumps: the version to write. The default is the version of the input.
  std::optional<Target> target = {};
  bool allow_loss = false;         ///< whether to write even if `target` cannot represent everything
  bool placeholder_names = false;  ///< whether to keep snapshots whose names are lost
  int level = 9;                   ///< the zstd level, 1 to 19, if the target is compressed
  bool is_in_place = false;        ///< whether the output may replace the input
  bool keeps_times = false;        ///< whether to give the output the access and modification times of the
                                   ///< input
  ReadOptions read = {};           ///< how to read the input
};

/// Writes the intact parts of the dump at `input` to `output`, which must be a file. The output is given its
/// name once it is complete and has been checked. Errors: the errors of open(); damaged; limit; unsupported
/// if dumps of this format cannot be written in the target format; unwritable, including when the output is
/// the input.
[[nodiscard]] HEAPCHECK_API Result<Recovery> recover(const std::string& input, const std::string& output,
                                                     const RecoverOptions& options = {});
/// Does the same for an open dump. Content that was kept during validation is not read again.
[[nodiscard]] HEAPCHECK_API Result<Recovery> recover(const Dump& dump, const std::string& output,
                                                     const RecoverOptions& options = {});

}  // namespace heapcheck
