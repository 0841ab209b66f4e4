// Property: how the bytes arrive does not matter. Read in pieces, or through a smaller or larger window, a
// profile gives the same findings, columns and places as read at once. The last two bytes say how large
// the pieces are; they are read as part of the profile all the same.
#include "fuzz/support/windows.hpp"
#include "formats/v8/heapprofile/reader.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapprofile;
using fuzz::require;

namespace {

bool same_places(const ProfileContainer& a, const ProfileContainer& b) {
  return a.byte_count == b.byte_count && a.head == b.head && a.samples == b.samples && a.form == b.form &&
         a.is_complete == b.is_complete && a.unknown_members == b.unknown_members &&
         a.node_offsets == b.node_offsets && a.child_indices == b.child_indices &&
         a.node_parts == b.node_parts && a.sample_offsets == b.sample_offsets &&
         a.sample_indices == b.sample_indices;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  if (size < 2) return 0;
  const auto read = [](core::Window& window, core::FindingSink& sink) {
    return read_profile(window, fuzz::make_limits(), sink);
  };
  const auto require_same = [](const Reading& whole, const Reading& other) {
    require(whole.profile == other.profile, "so is the profile");
    require(same_places(whole.container, other.container), "so are the places");
  };
  fuzz::require_windows_agree(bytes, fuzz::SmallWindows::equal, read, require_same);
  return 0;
}
