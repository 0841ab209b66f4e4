// Writes the intact parts of a damaged dump as a sound dump, and lists which parts were kept and which were
// lost.
#pragma once

#include <optional>
#include <string>
#include <string_view>

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

/// A summary for people, in several lines: what was kept, dropped and changed. If nothing was written, the
/// first line says why.
[[nodiscard]] HEAPCHECK_API std::string make_text(const Recovery& recovery, std::string_view output);
/// A summary for programs: one JSON document, as described in spec/recovery.schema.json.
[[nodiscard]] HEAPCHECK_API std::string make_json(const Recovery& recovery, std::string_view input,
                                                  std::string_view output);

}  // namespace heapcheck
