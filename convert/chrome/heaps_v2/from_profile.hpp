// Makes the `heaps_v2` objects for a profile in a canonical form. The form depends only on the meaning of the
// profile, not on the order in which the profile was read or the format that it was read from.
#pragma once

#include "convert/chrome/profile.hpp"
#include "formats/chrome/heaps_v2/model.hpp"

namespace heapcheck::conversion::chrome::heaps_v2 {

namespace format = heapcheck::chrome::heaps_v2;

/// Every dump has complete maps of the frames and types that it uses. The strings and nodes of a process take
/// their ids from one counter that starts at 1, so that a frame has the same id in each dump of the process.
/// Frames are numbered from the root down, and those with the same parent in order of name. The type
/// `[unknown]` is 0, and the others are numbered in order of name. The empty stack is node 0. Rows that have
/// neither bytes nor objects are left out, and so are allocators without rows. Nothing in the profile is lost
/// except the names of processes, which other events hold. Dumps are in the order of their events.
/// spec: chrome/heaps_v2.md#canonical-form
[[nodiscard]] format::Model from_profile(const Profile& profile);

}  // namespace heapcheck::conversion::chrome::heaps_v2
