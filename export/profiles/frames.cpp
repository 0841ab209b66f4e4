#include "export/profiles/frames.hpp"

#include <map>

namespace heapcheck::exports::profiles {

Frames::Frames(const AllocationProfile& profile) {
  std::map<Frame, std::uint32_t> known;
  index_.reserve(profile.frame.size());
  for (std::size_t place = 0; place < profile.frame.size(); ++place) {
    Frame frame{.name = profile.frame[place]};
    if (!profile.script.empty()) {
      frame.script = profile.script[place];
      frame.line = profile.line[place];
      frame.column = profile.column[place];
    }
    const auto [found, is_new] = known.try_emplace(frame, static_cast<std::uint32_t>(frames_.size()));
    if (is_new) frames_.push_back(frame);
    index_.push_back(found->second);
  }
}

}  // namespace heapcheck::exports::profiles
