// The `heaps_v2` objects that mean a given profile, in one canonical form: what is written depends on what
// the profile means alone, not on the order in which it was read or on the format it was read from.
#pragma once

#include "convert/chrome/profile.hpp"
#include "formats/chrome/heaps_v2/model.hpp"

namespace heapcheck::conversion::chrome::heaps_v2 {

namespace format = heapcheck::chrome::heaps_v2;

/// Every dump has complete maps of what it uses. Strings and nodes of a process take their ids from one
/// counter that begins at 1, so a frame has the same id in each of its dumps: frames from the root down,
/// those of one parent in order of name. The type `[unknown]` is 0, the others follow in order of name. The
/// empty stack is node 0. Rows without bytes and objects are left out, as are allocators without rows.
/// Nothing of the profile is lost but names of processes, which other events hold. Dumps are in the order of
/// their events. spec: chrome/heaps_v2.md#canonical-form
[[nodiscard]] format::Model from_profile(const Profile& profile);

}  // namespace heapcheck::conversion::chrome::heaps_v2
