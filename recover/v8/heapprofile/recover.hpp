// Recovers the intact parts of a damaged V8 sampling heap profile: nodes whose call frame and size were read,
// the nodes that lead to them, and complete samples. spec: v8/heapprofile.md#recovery
#pragma once

#include <algorithm>
#include <cstdint>

#include "formats/core/output/output_file.hpp"
#include "formats/core/source.hpp"
#include "formats/model.hpp"
#include "formats/v8/heapprofile/reader.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::recovery::v8::heapprofile {

/// The function name of a kept node whose call frame is lost.
inline constexpr std::string_view lost_name = "(lost)";

/// The amounts of kept, repaired and dropped content.
struct Recovery {
  std::uint64_t kept_nodes = 0;      ///< includes damaged nodes above intact ones; if this is 0, nothing is
                                     ///< written
  std::uint64_t dropped_nodes = 0;   ///< the number of dropped nodes, as far as they could be read
  std::uint64_t repaired_nodes = 0;  ///< the number of kept nodes whose call frame or size is lost
  std::uint64_t new_ids = 0;         ///< the number of kept nodes with a new id
  std::uint64_t kept_samples = 0;
  std::uint64_t dropped_samples = 0;  ///< among the samples up to the last one that could be read
  bool has_all_nodes = false;         ///< whether the tree was read to its end
  bool has_all_samples = false;       ///< whether the samples were read to their end, or there are none
  std::uint64_t lost_members = 0;     ///< the number of dropped members, which V8 does not write

  /// The number of kept nodes that are complete in the file.
  [[nodiscard]] std::uint64_t real_nodes() const { return kept_nodes - repaired_nodes; }
  /// Whether any content was dropped or changed.
  [[nodiscard]] bool has_lost() const {
    return std::max({dropped_nodes, repaired_nodes, new_ids, dropped_samples, lost_members}) != 0;
  }
};

/// Turns `reading` into a sound profile. Takes linear time, except for sorting ids.
Recovery repair(heapcheck::v8::heapprofile::Reading& reading);

/// Writes the intact parts of the profile in `source` to `out`. Writes nothing if no node is intact. Consumes
/// `content`, which may contain the model if that was read before. Errors: limit; unwritable; unreadable if
/// the source cannot be read.
Result<Recovery> recover(core::SeekableSource& source, formats::Content& content, const Limits& limits,
                         core::ByteSink& out);

}  // namespace heapcheck::recovery::v8::heapprofile
