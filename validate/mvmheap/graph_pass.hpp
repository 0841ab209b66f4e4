// One pass over the graph of a snapshot, which proves the facts in graph_facts.hpp while the references are
// read. It puts the collectables into the order of their references, which MoarVM writes one collectable
// after another, and then sees each reference once. It therefore needs neither the references that it has
// seen nor, once it has begun, the starts of their ranges.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "formats/core/large_array.hpp"
#include "formats/mvmheap/model.hpp"
#include "validate/mvmheap/graph_facts.hpp"

namespace heapcheck::validation::mvmheap {

/// Sets `is_name` for each string that one of these descriptions names. All their indices must be below
/// `needed`.
void mark_names(std::span<const std::uint32_t> descriptions, std::uint64_t needed,
                std::vector<std::uint8_t>& is_name);

/// Columns are passed in pieces of at least this number of values, because short loops take more time.
inline constexpr std::uint64_t least_passed = 1U << 14;

class GraphPass {
 public:
  explicit GraphPass(std::uint64_t least = least_passed) : least_(least) {}

  /// Goes on with the references that were added to the snapshot, as far as that is worthwhile or, at the end
  /// of the snapshot, up to the last one. Does not begin before the snapshot has references or has ended.
  void advance(const heapcheck::mvmheap::Snapshot& snapshot, bool is_at_end);
  /// The facts, after the last call of advance() for the snapshot.
  [[nodiscard]] GraphFacts find_facts(const heapcheck::mvmheap::Snapshot& snapshot) const;

  /// Whether the ranges have been checked and are no longer needed.
  [[nodiscard]] bool has_begun() const { return progress_ == Progress::going; }
  /// Whether something is wrong with the snapshot, so that the pass has ended without a proof.
  [[nodiscard]] bool has_failed() const { return progress_ == Progress::failed; }
  [[nodiscard]] std::uint64_t descriptions_passed() const { return described_.passed; }
  [[nodiscard]] std::uint64_t targets_passed() const { return followed_.passed; }
  /// For each string whether it is the name of a reference. Null unless the pass has seen all references.
  [[nodiscard]] const std::vector<std::uint8_t>* names() const { return is_whole_ ? &names_ : nullptr; }

 private:
  enum class Progress : std::uint8_t { waiting, going, failed };
  /// A position in the references, and the first collectable whose references have not been looked at.
  struct Position {
    std::uint64_t passed = 0;
    std::size_t owner = 0;    ///< its index in owners_
    std::uint64_t start = 0;  ///< its first reference
  };

  void count_references(std::span<const std::uint32_t> counts);
  [[nodiscard]] bool begin(const heapcheck::mvmheap::Snapshot& snapshot, bool is_at_end);
  void pass_descriptions(const heapcheck::mvmheap::Snapshot& snapshot, bool is_at_end);
  void pass_targets(const heapcheck::mvmheap::Snapshot& snapshot, bool is_at_end);
  [[nodiscard]] std::optional<std::uint32_t> find_stable_name(const heapcheck::mvmheap::Snapshot& snapshot,
                                                              bool is_at_end);
  [[nodiscard]] bool add_names(const heapcheck::mvmheap::References& references,
                               std::span<const std::uint32_t> passed);
  [[nodiscard]] bool has_changed(const heapcheck::mvmheap::Snapshot& snapshot) const;
  void end(const heapcheck::mvmheap::Snapshot& snapshot);

  std::uint64_t least_;
  Progress progress_ = Progress::waiting;
  std::uint64_t rows_ = 0;        // the number of collectables
  std::uint64_t references_ = 0;  // the sum of their numbers of references
  std::uint64_t counted_ = 0;     // how many of these numbers are in the sum
  /// The collectables that have references, in the order of their references. The highest bit is set if the
  /// second reference of an object leads to its STable, and the second-highest bit is set for all objects and
  /// type objects.
  heapcheck::core::LargeArray<std::uint32_t> owners_;
  Position described_;
  Position followed_;
  std::vector<std::uint8_t> names_;
  std::optional<std::uint32_t> stable_;  // the description of references to STables
  std::uint64_t searched_ = 0;           // the number of descriptions in which it was searched for
  std::uint64_t stables_ = 0;            // the number of references with this description
  std::uint64_t typed_ = 0;              // the number of objects and type objects
  std::uint64_t typed_owners_ = 0;       // the number of those that have references
  bool have_stables_ = true;
  bool have_childless_no_start_ = false;
  std::uint32_t next_ = 1;   // the number of collectables that were met; the root is met first
  bool is_in_order_ = true;  // whether they were met in index order, and before their own references
  bool is_whole_ = false;    // whether all references were passed
};

}  // namespace heapcheck::validation::mvmheap
