#include "formats/v8/heapprofile/tree_reader.hpp"

#include <fmt/format.h>

#include "formats/v8/heapprofile/context.hpp"
#include "formats/v8/heapprofile/faults.hpp"

namespace heapcheck::v8::heapprofile {

using core::JsonToken;

namespace {

/// The members that a call frame should have but that are not in `members`, such as "`scriptId`,
/// `lineNumber`".
std::string name_missing(const MemberSet<FrameMember>& members) {
  using enum FrameMember;
  std::string names;
  for (const FrameMember member : {script_id, line_number, column_number}) {
    if (members.has(member)) continue;
    names +=
        fmt::format("{}`{}`", names.empty() ? "" : ", ", frame_members[static_cast<std::size_t>(member)]);
  }
  return names;
}

}  // namespace

void TreeReader::read() {
  if (json_->next() == JsonToken::error) return;
  if (json_->token() != JsonToken::object_begin) {
    return context_->refuse(rules::file_head, "/head",
                            fmt::format("`head` is {}, expected an object", describe_token(json_->token())));
  }
  const std::uint64_t offset = json_->span().offset;
  begin_node(no_parent);
  while (!open_.empty()) {
    if (!read_step()) return;
  }
  context_->container.head = Span{offset, json_->span().end() - offset};
}

/// Reads the next token in the innermost node or its children. Returns whether reading continues.
bool TreeReader::read_step() {
  const JsonToken token = json_->next();
  // If a bracket came too early, a string or number may not really be an element, so findings about it are
  // still held back.
  if (token == JsonToken::object_begin || token == JsonToken::array_end) context_->held.flush();
  if (token == JsonToken::object_begin) {
    begin_node(open().node);
    return context_->fits_memory("/head");
  }
  if (token == JsonToken::key) {
    read_member();
  } else if (token == JsonToken::object_end) {
    end_node();
  } else if (token != JsonToken::array_end && token != JsonToken::error) {
    refuse_child();
  }
  if (json_->token() != JsonToken::error) return true;
  take_back_cut_number();
  return false;
}

/// Reports an element of `children` that is not an object.
void TreeReader::refuse_child() {
  const std::uint32_t index = open().children++;
  context_->refuse(
      rules::node_type, [&] { return fmt::format("{}/children/{}", path(), index); },
      fmt::format("an element of `children` is {}, expected an object", describe_value(*json_)));
}

void TreeReader::begin_node(NodeIndex parent) {
  const std::uint32_t child_index = parent == no_parent ? 0 : open().children++;
  open_.emplace_back().node = context_->profile.nodes.add(parent);
  ProfileContainer& container = context_->container;
  container.node_offsets.push_back(json_->span().offset);
  container.child_indices.push_back(child_index);
  container.node_parts.emplace_back();
}

/// Called at the end of the node's object. Reports the members that the object lacks.
void TreeReader::end_node() {
  settle_flat_frame();
  const auto& seen = open().seen;
  const bool has_frame = seen.has(NodeMember::call_frame) || !open().flat.empty();
  if (!has_frame && !seen.has(NodeMember::self_size) && !seen.has(NodeMember::children)) {
    if (!has_stranger_)
      report(rules::node_call_frame, mark_open(), {},
             "the node has no `callFrame`, no `selfSize` and no `children`");
    has_stranger_ = true;
  } else {
    report_missing(has_frame);
  }
  context_->container.node_parts[row()].end = true;
  open_.pop_back();
}

/// Reports the members that the open node lacks.
void TreeReader::report_missing(bool has_frame) {
  if (!has_frame) report(rules::node_call_frame, mark_open(), {}, "the node has no `callFrame`");
  if (!open().seen.has(NodeMember::self_size))
    report(rules::node_self_size, mark_open(), {}, "the node has no `selfSize`");
  if (!open().seen.has(NodeMember::children))
    report(rules::node_children, mark_open(), {}, "the node has no `children`");
}

void TreeReader::read_member() {
  const auto member = find_member<NodeMember>(node_members, json_->text());
  if (member) {
    if (!open().seen.add(*member)) return context_->skip_duplicate([this] { return path(); });
    if (*member == NodeMember::call_frame) return read_call_frame();
    if (*member == NodeMember::self_size) return read_self_size();
    if (*member == NodeMember::id) return read_id();
    return read_children();
  }
  const auto flat = find_member<FrameMember>(frame_members, json_->text());
  if (!flat || open().seen.has(NodeMember::call_frame))
    return context_->skip_unknown("node", [this] { return path(); });
  if (!open().flat.add(*flat)) return context_->skip_duplicate([this] { return path(); });
  read_frame_member(*flat);
}

void TreeReader::read_call_frame() {
  const JsonToken token = json_->next();
  if (token == JsonToken::error) return;
  if (token != JsonToken::object_begin) {
    return refuse(rules::node_call_frame, "/callFrame",
                  fmt::format("`callFrame` is {}, expected an object", describe_token(token)));
  }
  MemberSet<FrameMember> members;
  while (json_->next() == JsonToken::key) {
    const auto make_path = [this] { return path() + "/callFrame"; };
    const auto member = find_member<FrameMember>(frame_members, json_->text());
    if (!member) {
      context_->skip_unknown("call frame", make_path);
    } else if (!members.add(*member)) {
      context_->skip_duplicate(make_path);
    } else {
      read_frame_member(*member);
    }
  }
  // If the input ends here, members may only be missing for that reason.
  if (json_->token() != JsonToken::error) settle_frame(members);
}

void TreeReader::read_frame_member(FrameMember member) {
  json_->next();
  const bool fits = read_frame_value(member);
  if (fits || json_->token() == JsonToken::error) return;
  const std::string_view name = frame_members[static_cast<std::size_t>(member)];
  const bool is_position = member == FrameMember::line_number || member == FrameMember::column_number;
  open().has_fault = true;
  refuse(rules::frame_members, frame_path(name),
         fmt::format("`{}` is {}, expected {}", name, describe_value(*json_),
                     is_position ? "a 32-bit integer" : "a string"));
}

/// Stores the current value as the value of `member`. Returns false if it is not valid for that member.
bool TreeReader::read_frame_value(FrameMember member) {
  using enum FrameMember;
  Nodes& nodes = context_->profile.nodes;
  const std::size_t at = row();
  if (member == function_name) return read_text(nodes.function_name[at]);
  if (member == script_id) return read_script(nodes.script_id[at]);
  if (member == url) return read_text(nodes.url[at]);
  return read_position(member == line_number ? nodes.line[at] : nodes.column[at]);
}

bool TreeReader::read_text(core::PoolIndex& text) {
  if (json_->token() != JsonToken::string) return false;
  text = context_->profile.strings.intern(json_->text());
  return true;
}

bool TreeReader::read_script(core::PoolIndex& text) {
  if (json_->token() != JsonToken::number || !json_->is_integer()) return read_text(text);
  text = context_->profile.strings.intern(json_->text());
  if (!context_->container.form.numeric_scripts)
    report(rules::frame_script_number, json_->span(), frame_path("scriptId"),
           "`scriptId` is a number, expected a string");
  context_->container.form.numeric_scripts = true;
  return true;
}

bool TreeReader::read_position(std::int32_t& position) {
  const auto value = json_->token() == JsonToken::number ? decode_position(*json_) : std::nullopt;
  if (value) position = *value;
  return value.has_value();
}

/// Called after all members of the node's call frame. Reports the members that the call frame lacks.
void TreeReader::settle_frame(const MemberSet<FrameMember>& members) {
  using enum FrameMember;
  if (open().has_fault) return;
  for (const FrameMember member : {function_name, url}) {
    if (members.has(member)) continue;
    report(rules::frame_members, mark_open(), frame_path(),
           fmt::format("the call frame has no `{}`", frame_members[static_cast<std::size_t>(member)]));
    open().has_fault = true;
    return;
  }
  context_->container.node_parts[row()].frame = true;
  if (members.has(script_id) && members.has(line_number) && members.has(column_number)) return;
  if (!context_->container.form.no_positions)
    report(rules::frame_position, mark_open(), frame_path(),
           fmt::format("the call frame lacks {}", name_missing(members)));
  context_->container.form.no_positions = true;
}

/// Does the same for a call frame whose members are in the node itself. Its line and column are counted from
/// 1.
void TreeReader::settle_flat_frame() {
  if (open().flat.empty() || open().is_settled || open().seen.has(NodeMember::call_frame)) return;
  open().is_settled = true;
  if (!context_->container.form.flat_frames)
    report(rules::node_flat, mark_open(), {},
           "the node itself has the members of a call frame, expected an object `callFrame`");
  context_->container.form.flat_frames = true;
  settle_frame(open().flat);
  Nodes& nodes = context_->profile.nodes;
  for (std::int32_t* position : {&nodes.line[row()], &nodes.column[row()]}) {
    if (*position > no_position + 1) --*position;
  }
}

/// The rest of the path, from the innermost node to its call frame or to a member of the call frame.
std::string TreeReader::frame_path(std::string_view member) const {
  const std::string_view frame = open_.back().seen.has(NodeMember::call_frame) ? "/callFrame" : "";
  return fmt::format("{}{}{}", frame, member.empty() ? "" : "/", member);
}

void TreeReader::read_self_size() {
  const JsonToken token = json_->next();
  const auto amount = token == JsonToken::number ? decode_amount(*json_) : std::nullopt;
  if (amount) {
    context_->profile.nodes.self_size[row()] = amount->value;
    context_->container.node_parts[row()].self_size = true;
    number_end_ = json_->span().end();
    number_member_ = NodeMember::self_size;
    if (!amount->is_whole)
      report(rules::size_fraction, json_->span(), "/selfSize",
             "`selfSize` has a fraction, expected a whole number");
  } else if (token != JsonToken::error) {
    refuse(rules::node_self_size, "/selfSize",
           fmt::format("`selfSize` is {}, expected a number from 0 to 2^64 - 1", describe_value(*json_)));
  }
}

void TreeReader::read_id() {
  constexpr std::uint64_t end = std::uint64_t{1} << 53;
  const JsonToken token = json_->next();
  const auto amount = token == JsonToken::number ? decode_amount(*json_) : std::nullopt;
  if (amount && amount->is_whole && amount->value < end) {
    context_->profile.nodes.id[row()] = amount->value;
    number_end_ = json_->span().end();
    number_member_ = NodeMember::id;
  } else if (token != JsonToken::error) {
    refuse(rules::node_id, "/id",
           fmt::format("`id` is {}, expected an integer from 0 to 2^53 - 1", describe_value(*json_)));
  }
}

/// Enters the array of children, whose elements are read by read_step().
void TreeReader::read_children() {
  if (open().flat.has(FrameMember::function_name) && open().flat.has(FrameMember::column_number))
    settle_flat_frame();  // so that the frame is not lost if the file is cut off later
  const JsonToken token = json_->next();
  if (token == JsonToken::array_begin || token == JsonToken::error) return;
  refuse(rules::node_children, "/children",
         fmt::format("`children` is {}, expected an array", describe_token(token)));
}

/// Removes a number at the very end of the input, because it may have had more digits.
void TreeReader::take_back_cut_number() {
  if (number_end_ == 0 || json_->error()->offset != number_end_) return;
  if (number_member_ == NodeMember::id) {
    context_->profile.nodes.id[row()] = no_id;
  } else {
    context_->container.node_parts[row()].self_size = false;
    context_->profile.nodes.self_size[row()] = 0;
  }
}

void TreeReader::report(const Rule& rule, Span span, std::string_view suffix, std::string message) {
  context_->report(rule, span, [&] { return path() + std::string(suffix); }, std::move(message));
}

/// Reports the current value and skips it.
void TreeReader::refuse(const Rule& rule, std::string_view suffix, std::string message) {
  report(rule, json_->span(), suffix, std::move(message));
  context_->skip_nested();
}

Span TreeReader::mark_open() const { return mark(context_->container.node_offsets[row()]); }

std::string TreeReader::path() const {
  if (open_.empty()) return "/head";
  return make_path(context_->profile.nodes, context_->container, open_.back().node);
}

}  // namespace heapcheck::v8::heapprofile
