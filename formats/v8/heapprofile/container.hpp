// The offsets of the parts of a V8 sampling heap profile in the file, and other facts about the file that are
// not in the model. The columns of the container have the same rows as those of the model. Owns its memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/core/bytes.hpp"
#include "formats/v8/heapprofile/model.hpp"

namespace heapcheck::v8::heapprofile {

/// The parts of a node's object that were read. These are all parts unless the node is damaged.
struct NodeParts {
  bool frame : 1 = false;      ///< its call frame, including the function name and the URL
  bool self_size : 1 = false;  ///< its size in bytes
  bool end : 1 = false;        ///< the object's closing bracket

  friend bool operator==(const NodeParts&, const NodeParts&) = default;
};

/// The form in which a profile is written. spec: v8/heapprofile.md#writers
struct Form {
  bool samples_first = false;    ///< whether `samples` comes before `head`
  bool numeric_scripts = false;  ///< whether script ids are numbers
  bool flat_frames = false;      ///< whether nodes have the members of a call frame instead of a `callFrame`
                                 ///< object
  bool no_positions = false;     ///< whether call frames lack the script, the line or the column
  bool has_modules = false;      ///< whether there is a `modules` member, as in profiles of native memory
  bool has_vscode = false;       ///< whether there is a `$vscode` member

  friend bool operator==(const Form&, const Form&) = default;
};

struct ProfileContainer {
  std::uint64_t byte_count = 0;  ///< the number of bytes read
  std::optional<Span> head;      ///< the tree with its brackets; empty if not read to its end
  bool head_is_sound = false;    ///< whether there is only one tree, which was read without errors
  std::optional<Span> samples;   ///< the same for the array of samples
  Form form;
  std::uint64_t unknown_members = 0;  ///< the number of members that V8 does not write and the model does not
                                      ///< contain
  /// Whether the document was read to the end without a syntax error and without reaching a limit.
  bool is_complete = false;

  std::vector<std::uint64_t> node_offsets;   ///< the offset of each node's opening bracket
  std::vector<std::uint32_t> child_indices;  ///< the index of each node among its parent's children
  std::vector<NodeParts> node_parts;
  std::vector<std::uint64_t> sample_offsets;  ///< the offset of each sample's opening bracket
  std::vector<std::uint64_t> sample_indices;  ///< the index of each sample in the array

  [[nodiscard]] std::uint64_t memory() const {
    return (node_offsets.capacity() + sample_offsets.capacity() + sample_indices.capacity()) *
               sizeof(std::uint64_t) +
           child_indices.capacity() * sizeof(std::uint32_t) + node_parts.capacity() * sizeof(NodeParts);
  }
};

/// The path of a node, such as `/head/children/2/children/0`, with `...` in the middle if the node is deep.
inline std::string make_path(const Nodes& nodes, const ProfileContainer& container, NodeIndex node) {
  constexpr std::size_t levels_kept = 16;  // the number of levels kept at each end of a path
  std::vector<std::uint32_t> steps;
  for (NodeIndex at = node; nodes.parent[row_of(at)] != no_parent; at = nodes.parent[row_of(at)])
    steps.push_back(container.child_indices[row_of(at)]);
  std::ranges::reverse(steps);
  std::string path = "/head";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps.size() > 2 * levels_kept && i == levels_kept) {
      path += "/...";
      i = steps.size() - levels_kept;
    }
    path += "/children/" + std::to_string(steps[i]);
  }
  return path;
}

/// The bytes to which a finding about a node or a sample points: the opening bracket of its object.
inline Span mark(std::uint64_t offset) { return {offset, 1}; }

}  // namespace heapcheck::v8::heapprofile
