// The content of a V8 sampling heap profile: a tree of call frames with the live bytes that each of them
// allocated, and the samples from which these numbers come. It is stored as columns with one row per node in
// document order, so a parent comes before its children. Owns its memory. The offsets of the parts in the
// file are in container.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "formats/core/string_pool.hpp"

namespace heapcheck::v8::heapprofile {

enum class NodeIndex : std::uint32_t {};

constexpr std::size_t row_of(NodeIndex index) { return static_cast<std::size_t>(index); }

inline constexpr NodeIndex no_parent{UINT32_MAX};
/// The id used for a node without an `id` member.
inline constexpr std::uint64_t no_id = UINT64_MAX;
/// The values that represent missing members of a call frame.
inline constexpr core::PoolIndex no_text{UINT32_MAX};
inline constexpr std::int32_t no_position = INT32_MIN;

struct Nodes {
  std::vector<NodeIndex> parent;         ///< no_parent for the root, which is the first node
  std::vector<std::uint64_t> self_size;  ///< in bytes, not including the children
  std::vector<std::uint64_t> id;
  std::vector<core::PoolIndex> function_name;
  std::vector<core::PoolIndex> script_id;
  std::vector<core::PoolIndex> url;
  std::vector<std::int32_t> line;  ///< counted from 0; -1 if unknown
  std::vector<std::int32_t> column;

  [[nodiscard]] std::size_t count() const { return parent.size(); }
  /// Appends a node with this parent and default values, and returns its index.
  NodeIndex add(NodeIndex of_parent);
  /// The number of bytes that the columns take up.
  [[nodiscard]] std::uint64_t memory() const;

  friend bool operator==(const Nodes&, const Nodes&) = default;
};

struct Samples {
  std::vector<std::uint64_t> size;     ///< in bytes
  std::vector<std::uint64_t> node_id;  ///< the `id` of a node, which may be missing from the tree
  std::vector<std::uint64_t> ordinal;  ///< increases with time

  [[nodiscard]] std::size_t count() const { return size.size(); }
  void add(std::uint64_t of_size, std::uint64_t of_node_id, std::uint64_t of_ordinal);
  [[nodiscard]] std::uint64_t memory() const;

  friend bool operator==(const Samples&, const Samples&) = default;
};

struct Profile {
  core::StringPool strings;
  Nodes nodes;
  Samples samples;
  /// Whether there is an array of samples. Old versions of V8 do not write one.
  bool has_samples = false;

  [[nodiscard]] std::uint64_t memory() const { return strings.memory() + nodes.memory() + samples.memory(); }
  friend bool operator==(const Profile&, const Profile&) = default;
};

/// The totals of a profile.
struct Summary {
  std::uint64_t depth = 0;  ///< the number of nodes from the root to the deepest node, inclusive
  std::optional<std::uint64_t> self_size = 0;    ///< the sum over all nodes; empty if it is 2^64 or more
  std::optional<std::uint64_t> sample_size = 0;  ///< the sum over all samples; empty if it is 2^64 or more
  std::uint64_t functions = 0;                   ///< the number of distinct call frames
  std::uint64_t scripts = 0;                     ///< the number of distinct script ids, not counting the id
                                                 ///< for no script
};

/// The first row whose size makes the sum of `sizes` exceed 2^64 - 1.
std::optional<std::size_t> find_row_beyond_64_bits(const std::vector<std::uint64_t>& sizes);

/// Computes the totals of a profile in linear time. Every parent must come before its children.
Summary summarise(const Profile& profile);

}  // namespace heapcheck::v8::heapprofile
