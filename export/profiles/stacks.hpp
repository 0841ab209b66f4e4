// What the forms for call stacks have in common: the stacks of a profile, its distinct frames, and the
// profile that is used to export a graph. Borrows the profile.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/dominators.hpp"
#include "heapcheck/types/graph.hpp"
#include "heapcheck/types/profile.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::exports::profiles {

/// The largest integer such that JavaScript represents all integers up to it exactly.
inline constexpr std::uint64_t most_exact_in_javascript = std::uint64_t{1} << 53U;

/// The stacks that a form writes in full: those of the rows with memory, or those of the places that have
/// memory or ever allocated any, each once.
enum class WrittenStacks : std::uint8_t { of_rows, of_places };

/// Checks in linear time whether these stacks can be written. Errors: limit if they have too many frames in
/// total. The stacks of a chain of N calls that all allocate memory have N * N / 2 frames, so a small file
/// could take minutes.
[[nodiscard]] Result<void> check_stacks(const AllocationProfile& profile,
                                        WrittenStacks written = WrittenStacks::of_rows);

/// The bytes and, if the format has them, the objects of each place itself.
struct PlaceTotals {
  std::vector<std::uint64_t> size;
  std::vector<std::uint64_t> count;
};
[[nodiscard]] PlaceTotals add_up_places(const AllocationProfile& profile);

/// `, process Renderer 4711, dump 0x3` for a dump in a trace, and otherwise nothing.
[[nodiscard]] std::string describe_process(const DumpProcess& process);

/// A frame in human-readable form: `push (app.js:7:12)`, or as much of this as is known.
[[nodiscard]] std::string describe_frame(const AllocationProfile& profile, const StackFrame& frame);

/// A place is a chain of types that starts at the root. Makes a profile of the dominator tree. Nodes of the
/// same type whose dominators are at the same place share a place and a row of memory. Frames for classes and
/// for MoarVM's frames have the places of their types, where these are known. The size at a place is that of
/// the nodes themselves, so the cumulative size is their retained size. Nodes that cannot be reached are left
/// out. spec: analysis.md#dominator
[[nodiscard]] AllocationProfile make_profile_of_dominators(const Graph& graph,
                                                           const analyze::Retention& retention);

}  // namespace heapcheck::exports::profiles
