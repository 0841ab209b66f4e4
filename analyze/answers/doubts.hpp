// Notes about snapshots that were probably given by mistake or in the wrong order.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/answers/question.hpp"
#include "analyze/growth.hpp"
#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/graph.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck::analyze::answers {

/// A human-readable description of what is doubtful about two snapshots in formats with these rules.
[[nodiscard]] std::string_view describe(GrowthDoubt doubt, RetentionRules rules);

/// The doubt about two snapshots, the first of which has the nodes `nodes`.
[[nodiscard]] Relation find_dump_relation(const NodesById& nodes, const std::optional<Recording>& recording,
                                          const NodesById& later_nodes,
                                          const std::optional<Recording>& later);

/// Compares each graph with the one before it. Owns the data of that graph that is needed, but not the
/// graph itself.
class DoubtFinder {
 public:
  void add(const std::string& file, const AskedHeap& heap);
  /// One note for each kind of doubt, about the first two snapshots to which it applies.
  [[nodiscard]] std::vector<Remark> make_remarks() const;

 private:
  struct Found {
    std::string earlier;  ///< the file of the first of the two
    std::string later;
    std::uint64_t more = 0;  ///< the number of later pairs to which it also applies
  };
  std::string last_file_;
  std::optional<NodesById> last_;
  std::optional<Recording> last_recording_;
  RetentionRules rules_{};
  std::map<GrowthDoubt, Found> found_;
};

}  // namespace heapcheck::analyze::answers
