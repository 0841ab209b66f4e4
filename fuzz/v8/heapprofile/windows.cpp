// Property: the result does not depend on how the bytes arrive. Reading a profile in pieces, or through a
// smaller or larger window, yields the same findings, columns and offsets as reading it at once. The last two
// bytes determine the size of the pieces, and are also read as part of the profile.
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
    require(whole.profile == other.profile, "the profile is the same");
    require(same_places(whole.container, other.container), "the offsets are the same");
  };
  fuzz::require_windows_agree({data, size}, fuzz::SmallWindows::equal, read, require_same);
  return 0;
}
