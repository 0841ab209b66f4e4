// Where the parts of a V8 sampling heap profile stood in its file, and what the reader saw on the way.
// Columns go with those of the model, row by row. Owns its memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/core/bytes.hpp"
#include "formats/v8/heapprofile/model.hpp"

namespace heapcheck::v8::heapprofile {

/// What was read of a node's object; a node that is not damaged has all of it.
struct NodeParts {
  bool frame : 1 = false;      ///< its call frame, with function name and url
  bool self_size : 1 = false;  ///< its bytes
  bool end : 1 = false;        ///< the object's closing bracket

  friend bool operator==(const NodeParts&, const NodeParts&) = default;
};

/// In which of its forms a profile is written. spec: v8/heapprofile.md#writers
struct Form {
  bool samples_first = false;    ///< `samples` stands before `head`
  bool numeric_scripts = false;  ///< script ids are numbers
  bool flat_frames = false;      ///< nodes have no object `callFrame`, its members are their own
  bool no_positions = false;     ///< call frames lack script, line or column
  bool has_modules = false;      ///< a member `modules`, of profiles of native memory
  bool has_vscode = false;       ///< a member `$vscode`

  friend bool operator==(const Form&, const Form&) = default;
};

struct ProfileContainer {
  std::uint64_t byte_count = 0;  ///< of what was read
  std::optional<Span> head;      ///< the tree, from bracket to bracket, where it was read to its end
  bool head_is_sound = false;    ///< whether it was, without an error in it, and there is one only
  std::optional<Span> samples;   ///< the same of the array of samples
  Form form;
  std::uint64_t unknown_members = 0;  ///< that V8 does not write, and that the model does not hold
  /// Whether the document was read to its end: without an error of its grammar, and no limit was reached.
  bool is_complete = false;

  std::vector<std::uint64_t> node_offsets;   ///< of each node's opening bracket
  std::vector<std::uint32_t> child_indices;  ///< place of each node among its parent's children
  std::vector<NodeParts> node_parts;
  std::vector<std::uint64_t> sample_offsets;  ///< of each sample's opening bracket
  std::vector<std::uint64_t> sample_indices;  ///< place of each sample in the array

  [[nodiscard]] std::uint64_t memory() const {
    return (node_offsets.capacity() + sample_offsets.capacity() + sample_indices.capacity()) *
               sizeof(std::uint64_t) +
           child_indices.capacity() * sizeof(std::uint32_t) + node_parts.capacity() * sizeof(NodeParts);
  }
};

/// The path of a node: `/head/children/2/children/0`, with `...` for levels in the middle where it is deep.
std::string make_path(const Nodes& nodes, const ProfileContainer& container, NodeIndex node);

/// The bytes that a finding on a node or sample points to: its opening bracket.
inline Span mark(std::uint64_t offset) { return {offset, 1}; }

}  // namespace heapcheck::v8::heapprofile
