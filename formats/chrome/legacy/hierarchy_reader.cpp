#include "formats/chrome/legacy/hierarchy_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/chrome/legacy/faults.hpp"
#include "formats/chrome/legacy/grammar.hpp"
#include "formats/chrome/legacy/ids.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::chrome::legacy {
namespace {

using core::JsonToken;

constexpr std::uint32_t none = UINT32_MAX;
constexpr std::uint64_t node_bytes = 64;
constexpr std::string_view path = "/hierarchy";

}  // namespace

void HierarchyReader::read_member() {
  const core::JsonReader& json = context_.json;
  const bool is_names = json.text() == "names";
  bool& has = is_names ? has_names_ : has_hierarchy_;
  if (!has_any()) {
    context_.report(rules::frames_hierarchy, json.span(), {},
                    "found nested stack frames, expected one member for each frame");
  }
  if (has) {
    return context_.refuse_repeated(is_names ? "/names" : path,
                                    "found a second member of this name, expected one");
  }
  has = true;
  is_names ? read_names() : read_hierarchy();
}

void HierarchyReader::read_names() {
  core::JsonReader& json = context_.json;
  json.next();
  if (!context_.is_at(JsonToken::array_begin, "/names")) return;
  for (;;) {
    const JsonToken token = json.next();
    if (token == JsonToken::array_end || token == JsonToken::error) return;
    const core::JsonPath suffix("/names", names_.size());
    if (token != JsonToken::string) context_.reject(suffix, "a string");
    const bool is_string = token == JsonToken::string;
    names_.push_back(is_string ? context_.take_name(suffix) : context_.model.strings.intern({}));
    if (!context_.fits(names_.size() * sizeof(core::PoolIndex))) {
      json.skip_rest();
      return;
    }
  }
}

void HierarchyReader::read_hierarchy() {
  core::JsonReader& json = context_.json;
  json.next();
  if (!context_.is_at(JsonToken::object_begin, path)) return;
  open_.push_back(none);
  while (!open_.empty()) {
    switch (json.next()) {
      case JsonToken::key:
        read_node_member();
        break;
      case JsonToken::object_end:
        open_.pop_back();
        break;
      default:
        return;
    }
    if (!context_.fits(name_.size() * node_bytes)) {
      // The rest of the hierarchy is skipped, so that the other members can still be read.
      while (!open_.empty() && json.skip_rest() != JsonToken::error) open_.pop_back();
      return;
    }
  }
}

/// Reads either `bt`, which is the id of the open node, or a node below the open node.
void HierarchyReader::read_node_member() {
  core::JsonReader& json = context_.json;
  const Span key = json.span();
  if (json.text() == "bt" && open_.back() != none) return read_id();
  const auto name = grammar::small_id(core::as_bytes(json.text()));
  if (!name) {
    context_.report(rules::frames_hierarchy_name, key, path,
                    fmt::format("found the key `{}`, expected `bt` or an index into `names`",
                                core::make_excerpt(json.text())));
    json.skip_value();
    return;
  }
  json.next();
  if (context_.is_at(JsonToken::object_begin, path)) enter_node(key, *name);
}

void HierarchyReader::enter_node(Span key, std::uint32_t name) {
  parent_.push_back(open_.back());
  open_.push_back(static_cast<std::uint32_t>(name_.size()));
  name_.push_back(name);
  id_.push_back(no_stack);
  key_.push_back(key);
}

void HierarchyReader::read_id() {
  core::JsonReader& json = context_.json;
  FrameId& id = id_[open_.back()];
  if (id != no_stack) {
    return context_.refuse_repeated(path, "the frame has a second `bt`, expected one");
  }
  json.next();
  std::uint32_t number = 0;
  if (!context_.take_id(path, number)) return;
  // In the usual form, such an id would be mistaken for a member of the hierarchy.
  if (is_member(json.text())) {
    context_.report(rules::frames_hierarchy_name, json.span(), path,
                    fmt::format("found the id `{}`, expected an id that is not a member name", json.text()));
    return;
  }
  id = FrameId{number};
}

/// Removes the id of a node if an earlier frame has the same id. Also makes ids for nodes that have none,
/// because their callees refer to them by id. `frames` contains the frames that are not nested, if any.
void HierarchyReader::give_ids(const Frames& frames) {
  IdIndex index = make_index(frames.id);
  const auto first = static_cast<std::uint32_t>(frames.count());
  for (std::uint32_t node = 0; node < name_.size(); ++node) {
    if (id_[node] == no_stack || index.add(static_cast<std::uint32_t>(id_[node]), first + node)) continue;
    context_.report(rules::frame_duplicate_id, key_[node], path,
                    "another frame has the same `bt`, expected a different one");
    id_[node] = no_stack;
  }
  std::uint64_t number = 0;
  for (std::uint32_t node = 0; node < name_.size(); ++node) {
    while (id_[node] == no_stack) {
      const std::uint32_t id = context_.model.ids.intern(fmt::format("hierarchy#{}", number++));
      if (index.add(id, first + node)) id_[node] = FrameId{id};
    }
  }
}

void HierarchyReader::finish(Frames& frames) {
  give_ids(frames);
  for (std::uint32_t node = 0; node < name_.size(); ++node) {
    const bool has_name = name_[node] < names_.size();
    if (!has_name && !context_.memory.is_spent()) {  // if memory is spent, names are missing
      context_.report(rules::frames_hierarchy_name, key_[node], path,
                      fmt::format("found the index {} into `names`, expected an index below its length, {}",
                                  name_[node], names_.size()));
    }
    frames.id.push_back(id_[node]);
    frames.parent.push_back(parent_[node] == none ? empty_stack : id_[parent_[node]]);
    frames.name.push_back(has_name ? names_[name_[node]] : context_.model.strings.intern({}));
    frames.offset.push_back(key_[node].offset);
    frames.length.push_back(
        static_cast<std::uint32_t>(std::min<std::uint64_t>(key_[node].length, UINT32_MAX)));
    frames.event.push_back(0);
  }
}

}  // namespace heapcheck::chrome::legacy
