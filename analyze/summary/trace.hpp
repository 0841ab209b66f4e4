// The space that the names and heaps of each process take up in a Chrome trace, in bytes and in JSON items,
// and the content of each dump, for the dumps of both formats. Owns its rows.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "formats/read_trace.hpp"
#include "heapcheck/types/summary.hpp"

namespace heapcheck::analyze {

inline constexpr std::uint64_t member_values = 3;  ///< a member counts as three: the pair, its key and its
                                                   ///< value

struct ProcessTally : ProcessSummary {
  /// The size of that allocator's heaps so far, to which the caller adds.
  JsonSize& heap(const std::string& allocator);

 private:
  std::map<std::string, std::size_t> places_;  // in `heaps`, by allocator
};

class TraceTally {
 public:
  /// Returns the process with that id, which is added if it does not exist yet.
  ProcessTally& process(std::int64_t pid);
  [[nodiscard]] std::vector<HeapSummary>& heaps() { return heaps_; }
  /// The complete summary, in which processes get their names from `names`, by id.
  [[nodiscard]] TraceSummary take_summary(const std::map<std::int64_t, std::string>& names);

 private:
  std::vector<ProcessTally> processes_;
  std::vector<HeapSummary> heaps_;
  std::map<std::int64_t, std::size_t> places_;  // in `processes_`, by id
};

/// Each of these functions adds the content of the dumps of its format.
void add_legacy(const formats::Trace& trace, TraceTally& tally);
void add_heaps_v2(const formats::Trace& trace, TraceTally& tally);

}  // namespace heapcheck::analyze
