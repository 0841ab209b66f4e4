// Watches what leaks from snapshot to snapshot, for the rule `no-new-leak`. spec: analysis.md#rising-leaks
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyze/answers/question.hpp"
#include "analyze/guard.hpp"
#include "analyze/place_history.hpp"
#include "heapcheck/types/suspects.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck::analyze::answers {

/// A leak that grows.
struct GrowingLeak {
  std::string fingerprint = {};
  std::size_t step_count = 0;  ///< in how many steps
  std::uint64_t growth = 0;    ///< in all of them
  std::string reason = {};
  std::string shown_path = {};
  Table path = {};
};

class LeakWatch {
 public:
  /// The amount is that of the rule: growth in a step that is smaller does not count.
  explicit LeakWatch(RuleAmount amount) : amount_(amount) {}

  /// Adds a step from one snapshot to the next. `share_ids` is whether equal ids identify the same nodes.
  void add_step(const AskedHeap& last, const AskedHeap& next, bool share_ids);
  /// The leaks that grew in enough steps, those that grew the most first.
  [[nodiscard]] std::vector<GrowingLeak> find() const;

 private:
  [[nodiscard]] std::optional<GrowingLeak> find_estimated(const Suspect& leak) const;

  RuleAmount amount_;
  std::size_t step_count_ = 0;
  std::map<std::string, GrowingLeak> by_id_;  ///< by fingerprint, in the steps in which nodes have ids
  // From the first step on in which nodes cannot be identified:
  std::optional<AskedHeap> since_;
  std::optional<AskedHeap> last_;
  PlaceHistory history_;
  std::vector<double> least_;  ///< the amount in bytes, for each step
};

}  // namespace heapcheck::analyze::answers
