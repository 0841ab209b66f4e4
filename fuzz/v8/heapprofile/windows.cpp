// Property: how the bytes arrive does not matter. Read in pieces, or through a smaller or larger window, a
// profile gives the same findings, columns and places as read at once. The last two bytes say how large
// the pieces are; they are read as part of the profile all the same.
#include "fuzz/support/windows.hpp"
#include "formats/v8/heapprofile/reader.hpp"
#include "fuzz/support/same.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapprofile;
using fuzz::require;

namespace {

constexpr auto same_places =
    fuzz::same<&ProfileContainer::byte_count, &ProfileContainer::head, &ProfileContainer::samples,
               &ProfileContainer::form, &ProfileContainer::is_complete, &ProfileContainer::unknown_members,
               &ProfileContainer::node_offsets, &ProfileContainer::child_indices,
               &ProfileContainer::node_parts, &ProfileContainer::sample_offsets,
               &ProfileContainer::sample_indices>;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = [](core::Window& window, core::FindingSink& sink) {
    return read_profile(window, fuzz::make_limits(), sink);
  };
  const auto require_same = [](const Reading& whole, const Reading& other) {
    require(whole.profile == other.profile, "so is the profile");
    require(same_places(whole.container, other.container), "so are the places");
  };
  fuzz::require_windows_agree({data, size}, fuzz::SmallWindows::equal, read, require_same);
  return 0;
}
