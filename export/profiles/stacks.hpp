// What the forms for call stacks have in common: the stacks of a profile, its distinct frames, and the
// profile that is used to export a graph. Borrows the profile.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "analyze/dominators.hpp"
#include "heapcheck/types/graph.hpp"
#include "heapcheck/types/profile.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::exports::profiles {

/// The largest integer such that JavaScript represents all integers up to it exactly.
inline constexpr std::uint64_t most_exact_in_javascript = std::uint64_t{1} << 53U;

/// The places from `place` outwards. The root is left out unless it is `place` itself.
[[nodiscard]] std::vector<std::uint32_t> find_stack(const AllocationProfile& profile, std::uint32_t place);

/// Checks in linear time whether the stacks of all rows with memory can be written in full. Errors: limit if
/// they have too many frames in total. The stacks of a chain of N calls that all allocate memory have N * N /
/// 2 frames, so a small file could take minutes.
[[nodiscard]] Result<void> check_stacks(const AllocationProfile& profile);

/// The bytes and, if the format has them, the objects of each place itself.
struct PlaceTotals {
  std::vector<std::uint64_t> size;
  std::vector<std::uint64_t> count;
};
[[nodiscard]] PlaceTotals add_up_places(const AllocationProfile& profile);

/// `, process Renderer 4711, dump 0x3` for a dump in a trace, and otherwise nothing.
[[nodiscard]] std::string describe_process(const DumpProcess& process);

/// A function. Values that the format does not state are the same as in AllocationProfile.
struct Frame {
  std::uint32_t name = 0;    ///< an index into the texts of the profile
  std::uint32_t script = 0;  ///< likewise; meaningless if the profile has no scripts
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  friend auto operator<=>(const Frame&, const Frame&) = default;
};

class Frames {
 public:
  explicit Frames(const AllocationProfile& profile);

  /// The frames, in the order of the places at which they first occur.
  [[nodiscard]] const std::vector<Frame>& all() const { return frames_; }
  /// The index of the frame at a place.
  [[nodiscard]] std::uint32_t at(std::uint32_t place) const { return index_[place]; }

 private:
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> index_;  // by place
};

/// A place is a chain of types that starts at the root. Makes a profile of the dominator tree. Nodes of the
/// same type whose dominators are at the same place share a place and a row of memory. The size at a place is
/// that of the nodes themselves, so the cumulative size is their retained size. Nodes that cannot be reached
/// are left out. spec: analysis.md#dominator
[[nodiscard]] AllocationProfile make_profile_of_dominators(const Graph& graph,
                                                           const analyze::Retention& retention);

}  // namespace heapcheck::exports::profiles
