// The order in which nodes and edges use names. Writers number a name when they first use it, so each new
// name is larger by 1 than the largest name before it. A larger step shows where rows are missing or out of
// place. spec: v8/heapsnapshot.md#consistency
#pragma once

#include <optional>
#include <vector>

#include "validate/v8/heapsnapshot/consistency/edge_chunks.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consistency {

/// A name whose number is larger by at least 2 than the largest number before it.
struct NameStep {
  Section section;
  std::uint64_t row = 0;
  std::uint64_t name = 0;
  std::uint64_t largest = 0;  ///< the largest name before it
};

/// A lost or moved piece of a file causes up to three steps. Writers that number names differently cause a
/// step every few names, and so do programs that cut a small piece out of a snapshot.
inline constexpr std::uint64_t few_name_steps = 8;

struct NameOrder {
  std::optional<NameStep> first;  ///< the first step
  std::uint64_t steps = 0;        ///< the number of names that skip a number
  std::uint64_t names = 0;        ///< the number of distinct names, or slightly less
  std::uint64_t largest = 0;

  /// Whether the writer numbers names in this way and only a few pieces are damaged.
  [[nodiscard]] bool has_few_steps() const;
};

/// Goes through the names of nodes and then through those of edges. Borrows the snapshot.
class NameScan {
 public:
  explicit NameScan(const Snapshot& snapshot);

  /// Does nothing if the section is not sound.
  void add_nodes();
  /// Chunks must be added in order.
  void add_edges(const EdgeChunk& chunk);

  [[nodiscard]] const NameOrder& order() const { return order_; }

 private:
  template <class Name>
  void add(Section section, std::uint64_t first_row, std::span<const Name> names);
  void note(const NameStep& step);

  const Snapshot* snapshot_;
  std::uint64_t element_;  // the types of edges that have an index instead of a name
  std::uint64_t hidden_;
  NameOrder order_;
  std::optional<std::vector<std::uint64_t>> others_;
};

/// Reads the names of nodes and then the names of edges, as far as the sections are sound. Takes time linear
/// in the number of rows.
[[nodiscard]] NameOrder find_name_order(const Snapshot& snapshot);

/// The field of a section that contains names.
[[nodiscard]] constexpr std::string_view name_field(Section section) {
  return section == Section::nodes ? "name" : "name_or_index";
}

}  // namespace heapcheck::validation::v8::heapsnapshot::consistency
