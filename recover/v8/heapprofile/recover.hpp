// Recovers what is whole in a damaged V8 sampling heap profile: nodes whose call frame and size were
// read, what leads to them, and whole samples. spec: v8/heapprofile.md#recovery
#pragma once

#include <algorithm>
#include <cstdint>

#include "formats/core/output_file.hpp"
#include "formats/core/source.hpp"
#include "formats/model.hpp"
#include "formats/v8/heapprofile/reader.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::recovery::v8::heapprofile {

/// The function of a kept node whose call frame is lost.
inline constexpr std::string_view lost_name = "(lost)";

/// What was kept and what was not.
struct Recovery {
  std::uint64_t kept_nodes = 0;      ///< those in between included; 0: nothing is written
  std::uint64_t dropped_nodes = 0;   ///< as far as they could be read
  std::uint64_t repaired_nodes = 0;  ///< of those kept, without a call frame or size of their own
  std::uint64_t new_ids = 0;         ///< of those kept, with an id that was made up
  std::uint64_t kept_samples = 0;
  std::uint64_t dropped_samples = 0;  ///< of those before the last one that could be read
  std::uint64_t lost_members = 0;     ///< that V8 does not write

  /// Whether something is not there any more or is not what it was.
  [[nodiscard]] bool has_lost() const {
    return std::max({dropped_nodes, repaired_nodes, new_ids, dropped_samples, lost_members}) != 0;
  }
};

/// Makes a sound profile of what `reading` has. Linear in it but for sorting ids.
Recovery repair(heapcheck::v8::heapprofile::Reading& reading);

/// Writes what is whole in the profile that `source` holds to `out`; nothing at all where no node is. What
/// was read of it before may be in `content`, and is used up. Errors: limit; unwritable; unreadable, where
/// the source cannot be read.
Result<Recovery> recover(core::SeekableSource& source, formats::Content& content, const Limits& limits,
                         core::ByteSink& out);

}  // namespace heapcheck::recovery::v8::heapprofile
