#include "formats/v8/heapprofile/container.hpp"

#include <algorithm>

namespace heapcheck::v8::heapprofile {

std::string make_path(const Nodes& nodes, const ProfileContainer& container, NodeIndex node) {
  constexpr std::size_t levels_kept = 16;  // at each end of a path
  std::vector<std::uint32_t> steps;
  for (NodeIndex at = node; nodes.parent[row_of(at)] != no_parent; at = nodes.parent[row_of(at)])
    steps.push_back(container.child_indices[row_of(at)]);
  std::ranges::reverse(steps);
  std::string path = "/head";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps.size() > 2 * levels_kept && i == levels_kept) {
      path += "/...";
      i = steps.size() - levels_kept;
    }
    path += "/children/" + std::to_string(steps[i]);
  }
  return path;
}

}  // namespace heapcheck::v8::heapprofile
