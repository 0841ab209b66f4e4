// Reads the tree of a profile into columns without recursion, with one row per node in document order and a
// few bytes for each node that is still open. Members may be in any order. A node that lacks a part is
// reported but kept; NodeParts records which of its parts were read.
#pragma once

#include "formats/v8/heapprofile/context.hpp"
#include "formats/v8/heapprofile/layout.hpp"

namespace heapcheck::v8::heapprofile {

class TreeReader {
 public:
  explicit TreeReader(Context& context) : context_(&context), json_(&context.json) {}

  /// Reads the value of the `head` key, which is the current token. Stops at a syntax error or a limit.
  void read();

  /// The path of the innermost open node.
  [[nodiscard]] std::string path() const;

 private:
  struct Open {
    NodeIndex node = no_parent;
    std::uint32_t children = 0;
    MemberSet<NodeMember> seen;
    MemberSet<FrameMember> flat;  ///< the members of the call frame that are in the node itself
    bool has_fault = false;       ///< whether its call frame is broken, which has been reported
    bool is_settled = false;      ///< whether its flat call frame is complete
  };

  bool read_step();
  void begin_node(NodeIndex parent);
  void end_node();
  void report_missing(bool has_frame);
  void read_member();
  void read_call_frame();
  void read_frame_member(FrameMember member);
  bool read_frame_value(FrameMember member);
  bool read_text(core::PoolIndex& text);
  bool read_script(core::PoolIndex& text);
  bool read_position(std::int32_t& position);
  void settle_frame(const MemberSet<FrameMember>& members);
  void settle_flat_frame();
  void read_self_size();
  void read_id();
  void read_children();
  void take_back_cut_number();

  [[nodiscard]] std::string frame_path(std::string_view member = {}) const;
  void refuse_child();
  void refuse(const Rule& rule, std::string_view suffix, std::string message);
  void report(const Rule& rule, Span span, std::string_view suffix, std::string message);
  [[nodiscard]] Span mark_open() const;
  Open& open() { return open_.back(); }
  [[nodiscard]] std::size_t row() const { return row_of(open_.back().node); }

  Context* context_;
  core::JsonReader* json_;
  std::vector<Open> open_;
  std::uint64_t number_end_ = 0;  // the end of the last number that was read as a size or id
  NodeMember number_member_ = NodeMember::self_size;
  bool has_stranger_ = false;  ///< whether an object that is not a node, such as a sample, was found and
                               ///< reported
};

}  // namespace heapcheck::v8::heapprofile
