// Turns the cumulative values of an allocator into self values: the remainder of each entry after the entries
// below it are subtracted. The input is the entries as read and the tables in which their ids are looked up.
// The output is a row for each frame and type with a remainder. Takes as long as sorting the entries. spec:
// chrome/legacy.md#values
#pragma once

#include <cstdint>
#include <vector>

#include "formats/chrome/legacy/frame_forest.hpp"
#include "formats/chrome/legacy/model.hpp"

namespace heapcheck::conversion::chrome::legacy {

namespace format = heapcheck::chrome::legacy;

/// The type of memory whose type is unknown: an index beyond all types.
inline constexpr std::uint32_t rest_type = UINT32_MAX;

struct SelfRow {
  std::uint32_t frame = format::no_row;  ///< a row of the frames, or no_row for the empty stack
  /// Whether the memory may belong to callees without an entry rather than to the frame itself.
  bool is_rest = false;
  std::uint32_t type = rest_type;  ///< a row of the types, or rest_type
  std::uint64_t size = 0;
  std::uint64_t count = 0;
};

/// What is lost when the self values of a heap are computed.
struct SelfLosses {
  std::uint64_t skipped_entries = 0;  ///< the number of entries whose frame or type is unknown or that
                                      ///< occurred twice
  std::uint64_t overdrawn = 0;        ///< the number of sums of parts that were larger than the whole
  std::uint64_t uncounted = 0;        ///< the number of entries without a count, which is assumed to be 0
  std::uint64_t separate_types = 0;   ///< the number of totals of types in a heap of the old variant that has
                                      ///< stacks
  std::uint64_t moved_bytes = 0;      ///< the number of bytes taken from the types of a frame to keep its
                                      ///< total exact
};

struct SelfValues : SelfLosses {
  std::vector<SelfRow> rows;
};

class SelfValuesMaker {
 public:
  /// Makes self values for the heaps of `process`, whose columns must not change as long as this object
  /// exists.
  explicit SelfValuesMaker(const format::Process& process);

  SelfValues make(const format::Entries& entries);

  [[nodiscard]] const format::FrameForest& forest() const { return tables_.forest; }

  /// The tables in which entries are looked up.
  struct Tables {
    format::FrameForest forest;
    format::Preorder preorder;
    format::IdIndex types;
  };

 private:
  Tables tables_;
  std::vector<std::uint32_t> tops_;  // by type, for the walk of a heap; all none between two heaps
};

}  // namespace heapcheck::conversion::chrome::legacy
