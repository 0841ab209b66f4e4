#include "formats/chrome/legacy/context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "formats/chrome/legacy/faults.hpp"
#include "formats/chrome/legacy/hierarchy_reader.hpp"
#include "formats/chrome/legacy/ids.hpp"
#include "formats/chrome/legacy/leaf.hpp"
#include "formats/core/finding_groups.hpp"
#include "formats/core/json/faults.hpp"

namespace heapcheck::chrome::legacy {
namespace {

using core::JsonToken;

constexpr std::uint64_t names_row =
    sizeof(core::PoolIndex) + sizeof(std::uint64_t) + 3 * sizeof(std::uint32_t);
constexpr std::uint64_t index_row = 4 * sizeof(std::uint32_t);

std::uint64_t needed(const Frames& frames) { return memory(frames) + frames.count() * index_row; }

/// A member of the object that is being read: an id and its meaning.
struct Row {
  std::uint32_t id = 0;
  core::PoolIndex name{};
  FrameId parent = empty_stack;
  Span span;
};

class NamesReader {
 public:
  explicit NamesReader(const Context& context)
      : context_(context), repeated_(context.sink, core::rules::json_object_duplicate_key) {}

  /// Reads the current key as an id. Returns false if the same id has occurred before.
  bool read_key(Names& names);
  /// Reports the ids that occurred twice. Call this once, after the last key.
  void report_repeated() { repeated_.report(); }

  void read_type();
  void read_frame();
  /// Appends the next frames to `frames`, up to the first frame that does not have the usual form.
  void take_frames(Frames& frames);
  /// Appends the row to the columns. The row ends with the current token.
  template <class Columns>
  void finish_row(Columns& columns) {
    row_.span.length = context_.json.span().end() - row_.span.offset;
    append(columns);
  }

 private:
  struct DecodedFrame {
    FrameMember frame;
    core::StringPool::Prepared name;
  };

  std::size_t decode_run(core::ByteSpan bytes);
  bool take_frame(Frames& frames, const DecodedFrame& decoded);
  void append(Frames& frames);
  void append(Types& types);
  void append_names(Names& names);
  bool read_frame_member(unsigned& seen);
  void take_name(const core::JsonPath& path);

  Context context_;
  core::FindingGroups repeated_;
  IdIndex index_;
  Row row_;
  std::string path_;
  std::array<DecodedFrame, 16> run_;  // borrows the next bytes
};

bool NamesReader::read_key(Names& names) {
  const core::JsonReader& json = context_.json;
  row_ = {.id = context_.model.ids.intern(json.text()), .name = {}, .span = json.span()};
  path_ = "/" + core::escape_key(json.text());
  if (index_.add(row_.id, static_cast<std::uint32_t>(names.count()))) return true;
  repeated_.add([&] {
    return Finding{&core::rules::json_object_duplicate_key, context_.place.locate(json.span(), path_),
                   "found a second member of this name, expected one"};
  });
  names.is_damaged = true;
  return false;
}

void NamesReader::read_type() {
  context_.json.next();
  take_name(path_);
}

/// Reads the current value as the row's name.
void NamesReader::take_name(const core::JsonPath& path) {
  const bool is_string = context_.json.token() == JsonToken::string;
  if (!is_string) context_.reject(path, "a string");
  row_.name = is_string ? context_.take_name(path) : context_.model.strings.intern({});
}

void NamesReader::read_frame() {
  core::JsonReader& json = context_.json;
  json.next();
  unsigned seen = 0;
  if (context_.is_at(JsonToken::object_begin, path_)) {
    while (json.next() == JsonToken::key) {
      if (!read_frame_member(seen)) json.skip_value();
    }
    if ((seen & 1U) == 0 && json.token() != JsonToken::error) {
      const Span span{row_.span.offset, json.span().end() - row_.span.offset};
      context_.report(rules::frame_name, span, path_, "the frame has no `name`, expected a string");
    }
  }
  if ((seen & 1U) == 0) row_.name = context_.model.strings.intern({});
}

/// Reads the member whose key is the current token. Returns false if the member is unknown.
bool NamesReader::read_frame_member(unsigned& seen) {
  core::JsonReader& json = context_.json;
  constexpr std::array<std::string_view, 2> known{"name", "parent"};
  const auto member = static_cast<std::size_t>(std::ranges::find(known, json.text()) - known.begin());
  if (member == known.size()) return false;
  const core::JsonPath path(path_, core::JsonPath::no_row, known[member]);
  const unsigned bit = 1U << member;
  if ((seen & bit) != 0) {
    context_.report_repeated(path, fmt::format("the frame has a second `{}`, expected one", known[member]));
    return false;
  }
  seen |= bit;
  json.next();
  if (member == 0) {
    take_name(path);
  } else {
    std::uint32_t id = 0;
    if (context_.take_id(path, id)) row_.parent = FrameId{id};
  }
  return true;
}

void NamesReader::take_frames(Frames& frames) {
  for (;;) {
    const std::size_t count = decode_run(context_.json.peek_members());
    for (std::size_t i = 0; i < count; ++i) {
      if (!take_frame(frames, run_[i])) return;
    }
    if (count == 0) return;
  }
}

/// Decodes the frames at the front of `bytes` into the run. Returns their number.
std::size_t NamesReader::decode_run(core::ByteSpan bytes) {
  std::size_t count = 0;
  for (; count < run_.size(); ++count) {
    const FrameMember frame = decode_frame(bytes);
    if (frame.byte_count == 0) break;
    run_[count] = {frame, context_.model.strings.prepare(frame.name)};
    bytes = bytes.subspan(frame.byte_count);
  }
  return count;
}

/// Consumes a frame and appends it. If there is no room for the frame or if its id has occurred before, does
/// neither and returns false.
bool NamesReader::take_frame(Frames& frames, const DecodedFrame& decoded) {
  core::JsonReader& json = context_.json;
  const auto id = static_cast<std::uint32_t>(decoded.frame.id);
  if (!context_.has_room(needed(frames))) return false;
  if (!index_.add(id, static_cast<std::uint32_t>(frames.count()))) return false;
  row_ = {id, context_.model.strings.intern_prepared(decoded.name), decoded.frame.parent, {}};
  json.take_members(decoded.frame.byte_count);
  row_.span = {json.span().offset + 1, json.span().length - 1};
  append(frames);
  return true;
}

void NamesReader::append(Frames& frames) {
  append_names(frames);
  frames.id.push_back(FrameId{row_.id});
  frames.parent.push_back(row_.parent);
}

void NamesReader::append(Types& types) {
  append_names(types);
  types.id.push_back(TypeId{row_.id});
}

void NamesReader::append_names(Names& names) {
  names.name.push_back(row_.name);
  names.offset.push_back(row_.span.offset);
  names.length.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(row_.span.length, UINT32_MAX)));
  names.event.push_back(0);
}

/// Makes the columns for one event. Enters the event's object, which `read_members` then reads to its end.
template <class Columns>
Columns read_event(const Context& context, void (*read_members)(const Context&, Columns&)) {
  core::Tally tally(context.sink);
  const Context tallied = context.with(tally);
  core::JsonReader& json = context.json;
  Columns columns;
  json.next();
  columns.events.push_back({context.place, json.span()});
  if (tallied.is_at(JsonToken::object_begin, {})) {
    read_members(tallied, columns);
    Span& span = columns.events.front().span;
    span.length = json.span().end() - span.offset;
  }
  columns.is_broken = !tally.clean();
  return columns;
}

void read_frame_members(const Context& context, Frames& frames) {
  core::JsonReader& json = context.json;
  NamesReader names(context);
  HierarchyReader hierarchy(context);
  while (json.next() == JsonToken::key) {
    if (HierarchyReader::is_member(json.text())) {
      hierarchy.read_member();
    } else if (!context.fits(needed(frames)) || !names.read_key(frames)) {
      json.skip_value();
    } else {
      names.read_frame();
      if (json.token() == JsonToken::error) break;
      names.finish_row(frames);
      names.take_frames(frames);
    }
  }
  if (hierarchy.has_any()) hierarchy.finish(frames);
  names.report_repeated();
}

void read_type_members(const Context& context, Types& types) {
  core::JsonReader& json = context.json;
  NamesReader names(context);
  while (json.next() == JsonToken::key) {
    if (!context.fits(memory(types) + types.count() * index_row) || !names.read_key(types)) {
      json.skip_value();
      continue;
    }
    names.read_type();
    if (json.token() == JsonToken::error) break;
    names.finish_row(types);
  }
  names.report_repeated();
}

}  // namespace

std::uint64_t memory(const Frames& frames) { return frames.count() * (names_row + sizeof(FrameId)); }
std::uint64_t memory(const Types& types) { return types.count() * names_row; }

Frames read_frames(const Context& context) { return read_event<Frames>(context, read_frame_members); }
Types read_types(const Context& context) { return read_event<Types>(context, read_type_members); }

}  // namespace heapcheck::chrome::legacy
