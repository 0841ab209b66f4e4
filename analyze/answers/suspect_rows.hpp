// What the answers to `suspects` and `leaks` have in common: the snapshots that they compare, and how they
// describe nodes that retain memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/answers/question.hpp"
#include "analyze/growth.hpp"
#include "heapcheck/types/suspects.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck::analyze::answers {

/// The snapshots that are compared. Of those between the first and the last, only what they have in common is
/// kept, because there may be many. Those from a process other than that of the first one are left out.
struct Compared {
  std::optional<AskedHeap> first = {};
  std::optional<NodesById> between = {};
  std::optional<AskedHeap> last = {};
  GrowthDoubt doubt{};  ///< about two snapshots that follow each other

  void add(const AskedHeap& next);
};

/// Adds the first doubt about the snapshots to an answer, as a fact and as a remark. `found` is that about
/// the first and the last one, and `by` is how these were compared.
void add_doubt(GrowthDoubt found, GrowthBy by, const Compared& compared, Answer& answer);

/// Why a suspect is listed, as a sentence without its full stop.
[[nodiscard]] std::string make_reason(const Graph& graph, const Suspect& suspect, bool is_growth);
/// The same for a leak, which has no holder.
[[nodiscard]] std::string make_leak_reason(const Graph& graph, const Suspect& leak, bool is_growth);
[[nodiscard]] std::vector<std::uint64_t> list_ids(const Graph& graph, std::span<const std::uint32_t> nodes);
/// The number, reason and fingerprint of a suspect or leak for people. Its path comes after them.
[[nodiscard]] std::string describe_suspect(const Suspect& suspect, std::size_t number,
                                           std::string_view reason);
/// The path to a suspect or leak for people.
[[nodiscard]] std::string show_path_to(const Graph& graph, const std::vector<PathStep>& path,
                                       std::span<const std::uint64_t> retained);

}  // namespace heapcheck::analyze::answers
