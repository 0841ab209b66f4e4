// What of a Chrome trace each process's names and heaps take up, as bytes and as items of JSON, and what each
// dump holds: added up over the dumps of both formats. Owns its rows.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "formats/chrome/heaps_v2/model.hpp"
#include "formats/chrome/legacy/model.hpp"
#include "heapcheck/summary.hpp"

namespace heapcheck::analyze {

inline constexpr std::uint64_t member_values = 3;  ///< a member counts as a pair, its key and its value

struct ProcessTally : ProcessSummary {
  /// What the heaps of that allocator take up, to be added to.
  JsonSize& heap(const std::string& allocator);

 private:
  std::map<std::string, std::size_t> places_;  // in `heaps`, by allocator
};

class TraceTally {
 public:
  /// The process of that id, made if there is none.
  ProcessTally& process(std::int64_t pid);
  [[nodiscard]] std::vector<HeapSummary>& heaps() { return heaps_; }
  /// All of it, with processes called as in `names`, by id.
  [[nodiscard]] TraceSummary take_summary(const std::map<std::int64_t, std::string>& names);

 private:
  std::vector<ProcessTally> processes_;
  std::vector<HeapSummary> heaps_;
  std::map<std::int64_t, std::size_t> places_;  // in `processes_`, by id
};

/// Each adds what dumps of its format hold.
void add_legacy(const chrome::legacy::Model& model, TraceTally& tally);
void add_heaps_v2(const chrome::heaps_v2::Model& model, TraceTally& tally);

}  // namespace heapcheck::analyze
