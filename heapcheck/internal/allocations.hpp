// Makes profiles of allocations by call stack from what was read of a dump. Borrows nothing.
#pragma once

#include <cstdint>
#include <optional>

#include "convert/chrome/profile.hpp"
#include "formats/read_trace.hpp"
#include "formats/v8/heapprofile/model.hpp"
#include "heapcheck/format.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/profile.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::internal {

/// The profile of a V8 sampling heap profile. Frames are functions, by name. Errors: unreadable if the nodes
/// are not a tree with callers before callees; limit.
[[nodiscard]] Result<AllocationProfile> make_allocations(const v8::heapprofile::Profile& profile,
                                                         const Limits& limits);

/// What the dumps of a trace mean, which is worked out once, when it is first needed.
class TraceMeaning {
 public:
  /// The profile of the dump of `format` in that event. If a legacy dump does not say whether memory is that
  /// of a frame or of callees that were too small to be written, it is that of the frame. Errors: unreadable
  /// if `trace` does not have the event; limit.
  [[nodiscard]] Result<AllocationProfile> make(const formats::Trace& trace, Format format,
                                               std::uint64_t event, const Limits& limits);

 private:
  std::optional<conversion::chrome::Profile> legacy_;
  std::optional<conversion::chrome::Profile> heaps_v2_;
};

}  // namespace heapcheck::internal
