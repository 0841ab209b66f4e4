// Converts the `heaps_v2` objects of a trace to a profile and back. The canonical form of the objects depends
// only on the meaning of the profile, not on the format or the order in which it was read.
#pragma once

#include "convert/chrome/profile.hpp"
#include "formats/chrome/heaps_v2/model.hpp"

namespace heapcheck::conversion::chrome::heaps_v2 {

namespace format = heapcheck::chrome::heaps_v2;

/// Resolves all ids. Nothing is lost if the file has no errors. Frames with the same parent and name are
/// merged, as are rows with the same frame and type. Dumps keep their order; every process has at least one
/// dump. Memory whose node or type id has no definition is assigned to the empty stack or the `[unknown]`
/// type. The names of processes remain empty.
[[nodiscard]] Meaning to_profile(const format::Model& model);

/// Every dump has complete maps of the frames and types that it uses. The strings and nodes of a process take
/// their ids from one counter that starts at 1, so that a frame has the same id in each dump of the process.
/// Frames are numbered from the root down, and frames with the same parent in order of name. The `[unknown]`
/// type is 0, and the others are numbered in order of name. The empty stack is node 0. Rows that have neither
/// bytes nor objects are left out, as are allocators without rows. Nothing in the profile is lost except the
/// names of processes, which are stored in other events. Dumps are in the order of their events. spec:
/// chrome/heaps_v2.md#canonical-form
[[nodiscard]] format::Model from_profile(const Profile& profile);

}  // namespace heapcheck::conversion::chrome::heaps_v2
