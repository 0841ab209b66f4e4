// Makes the `heaps_v2` objects for a profile in a canonical form. It depends only on the meaning of the
// profile, not on the order in which it was read or on the format it was read from.
#pragma once

#include "convert/chrome/profile.hpp"
#include "formats/chrome/heaps_v2/model.hpp"

namespace heapcheck::conversion::chrome::heaps_v2 {

namespace format = heapcheck::chrome::heaps_v2;

/// Every dump has complete maps of the frames and types that it uses. The strings and nodes of a process take
/// their ids from one counter that starts at 1, so that a frame has the same id in each dump of the process:
/// frames from the root down, those with the same parent in order of name. The type `[unknown]` is 0, and the
/// others are numbered in order of name. The empty stack is node 0. Rows without bytes and objects are left
/// out, and so are allocators without rows. Nothing of the profile is lost except the names of processes,
/// which other events hold. Dumps are in the order of their events. spec: chrome/heaps_v2.md#canonical-form
[[nodiscard]] format::Model from_profile(const Profile& profile);

}  // namespace heapcheck::conversion::chrome::heaps_v2
