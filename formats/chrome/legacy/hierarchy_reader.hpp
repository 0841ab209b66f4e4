// Reads stack frames in a form that was proposed but never shipped: nested objects whose keys are indices
// into a table of names. The `bt` member of a frame is its id. Does not use recursion. Borrows the same
// objects as Context. spec: chrome/legacy.md#hierarchy
#pragma once

#include <cstdint>
#include <vector>

#include "formats/chrome/legacy/context.hpp"
#include "formats/chrome/legacy/model.hpp"

namespace heapcheck::chrome::legacy {

class HierarchyReader {
 public:
  explicit HierarchyReader(const Context& context) : context_(context) {}

  /// Returns whether `key` is the key of a member of this form.
  static bool is_member(std::string_view key) { return key == "hierarchy" || key == "names"; }

  /// Reads the value of the member whose key is the current token.
  void read_member();
  /// Appends the frames to `frames` once both members have been read.
  void finish(Frames& frames);

  [[nodiscard]] bool has_any() const { return has_hierarchy_ || has_names_; }

 private:
  void read_names();
  void read_hierarchy();
  void read_node_member();
  void enter_node(Span key, std::uint32_t name);
  void read_id();
  void give_ids(const Frames& frames);

  Context context_;
  bool has_hierarchy_ = false;
  bool has_names_ = false;
  std::vector<core::PoolIndex> names_;

  // The columns of nodes, with parents first.
  std::vector<std::uint32_t> name_;
  std::vector<std::uint32_t> parent_;
  std::vector<FrameId> id_;
  std::vector<Span> key_;
  std::vector<std::uint32_t> open_;  // the nodes that are still open, outermost first
};

}  // namespace heapcheck::chrome::legacy
