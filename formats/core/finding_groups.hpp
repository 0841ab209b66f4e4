// Groups the violations of a rule by cause: the first violation in a group is described, and the others are
// counted. Violations are assumed to have one cause if they are close to each other or if there are many of
// them, as with misaligned values. Borrows the sink and the rules.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/core/finding_sink.hpp"

namespace heapcheck::core {

/// If there are more violations than this, they are assumed to have one cause.
inline constexpr std::uint64_t few_violations = 3;

/// Violations that have the same cause.
struct ViolationGroup {
  const Rule* rule;         ///< the rule that was violated first
  std::uint64_t first = 0;  ///< the index of the first violation
  std::uint64_t last = 0;
  std::uint64_t count = 0;
};

/// Adds the number of violations in a group to the finding for the first violation.
using CountViolations = std::function<void(Finding&, const ViolationGroup&)>;

/// Adds "; found 7 such values".
void count_found(Finding& finding, const ViolationGroup& group);
/// Adds "; 7 types are wrong", for "types".
[[nodiscard]] CountViolations count_wrong(std::string_view things);

struct Grouping {
  static constexpr std::uint64_t unlimited = UINT64_MAX;

  std::uint64_t few = few_violations;       ///< if there are more groups than this, they are merged
  std::uint64_t gap = 0;                    ///< the largest distance from the group's last index
  CountViolations add_count = count_found;  ///< called for groups with several violations
};

class FindingGroups {
 public:
  FindingGroups(FindingSink& sink, const Rule& rule, Grouping grouping = {})
      : sink_(&sink), rule_(&rule), grouping_(std::move(grouping)) {}

  /// Adds a violation of `rule` at `index`. If groups may have gaps, indices must increase. Only calls `make`
  /// to make the finding if it may be reported.
  template <class Make>
  void add(const Rule& rule, std::uint64_t index, const Make& make) {
    if (begins_group(index) && begin(rule, index)) pending_.back().finding = make();
    ViolationGroup& group = pending_.back().group;
    group.last = index;
    ++group.count;
  }
  template <class Make>
  void add(std::uint64_t index, const Make& make) {
    add(*rule_, index, make);
  }
  /// Does the same for a violation without an index. Such violations form a group only if there is a large
  /// number of them.
  template <class Make>
  void add(const Make& make) {
    add(*rule_, 0, make);
  }

  /// Whether a violation at `index` belongs to a different group from the last violation.
  [[nodiscard]] bool begins_group(std::uint64_t index) const {
    return pending_.empty() ||
           (!is_one_ && (grouping_.gap == 0 || index - pending_.back().group.last > grouping_.gap));
  }

  /// Reports the violations that were added since the last call. Call this after the last violation has been
  /// added.
  void report();

 private:
  struct Pending {
    ViolationGroup group;
    std::optional<Finding> finding;  // the finding for the first violation, if the sink wants it
  };

  /// Begins a group, unless there are so many groups that they are merged. Returns whether its finding is
  /// wanted.
  bool begin(const Rule& rule, std::uint64_t index);

  FindingSink* sink_;
  const Rule* rule_;
  Grouping grouping_;
  std::vector<Pending> pending_;
  bool is_one_ = false;  // whether there were so many groups that they are merged
};

}  // namespace heapcheck::core
