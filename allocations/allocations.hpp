// Makes profiles of allocations by call stack from a dump that was read. Does not borrow anything.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "convert/chrome/profile.hpp"
#include "formats/read_trace.hpp"
#include "formats/v8/heapprofile/model.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/profile.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::allocations {

/// The allocation profile of a V8 sampling heap profile. Errors: unreadable if
/// the nodes are not a tree with callers before callees; limit.
[[nodiscard]] Result<AllocationProfile> make_allocations(const v8::heapprofile::Profile& profile,
                                                         const Limits& limits);

/// Makes the profiles of the dumps of one format in a trace.
class DumpProfiles {
 public:
  explicit DumpProfiles(conversion::chrome::Profile profile);

  /// The profile of the dump in that event. Takes time linear in the number of rows in the dump plus the
  /// number of calls that the rows name. Does not name the process. Errors: unreadable if there is no such
  /// event; limit.
  [[nodiscard]] Result<AllocationProfile> make(std::uint64_t event, const Limits& limits);

 private:
  struct EventDump {
    std::uint64_t event;
    const conversion::chrome::Process* process;
    const conversion::chrome::Dump* dump;
  };

  conversion::chrome::Profile profile_;
  std::vector<EventDump> dumps_;  // by event
  std::vector<std::uint32_t> places_;
};

/// Makes the profiles of the dumps of a trace. The shared preparation is done only once, when it is first
/// needed.
class TraceProfiles {
 public:
  /// The profile of the dump of `format` in that event. If a legacy dump does not show whether memory belongs
  /// to a frame or to callees that were too small to be written, it is assigned to the frame. Errors: as in
  /// DumpProfiles::make().
  [[nodiscard]] Result<AllocationProfile> make(const formats::Trace& trace, Format format,
                                               std::uint64_t event, const Limits& limits);

 private:
  std::unique_ptr<DumpProfiles> legacy_;
  std::unique_ptr<DumpProfiles> heaps_v2_;
};

}  // namespace heapcheck::allocations
