#include "convert/chrome/legacy/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "convert/chrome/legacy/self_values.hpp"
#include "formats/chrome/legacy/layout.hpp"
#include "formats/core/checked.hpp"
#include "formats/core/keyed_hash.hpp"
#include "formats/core/text/counted.hpp"

namespace heapcheck::conversion::chrome::legacy {

namespace format = heapcheck::chrome::legacy;
namespace {

/// The number of losses of one kind, and the memory that they affect.
struct Lost {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;

  void add(std::uint64_t more) {
    ++count;
    bytes = core::saturating_add(bytes, more);
  }
};

struct Losses : SelfLosses {
  std::uint64_t joined_frames = 0;
  std::uint64_t joined_types = 0;
  std::uint64_t sums = 0;
  Lost other_frames;
  Lost other_types;

  void add(const SelfValues& values);
  [[nodiscard]] std::vector<Loss> list() const;
};

void Losses::add(const SelfValues& values) {
  skipped_entries += values.skipped_entries;
  overdrawn += values.overdrawn;
  uncounted += values.uncounted;
  separate_types += values.separate_types;
  moved_bytes = core::saturating_add(moved_bytes, values.moved_bytes);
  for (const SelfRow& row : values.rows) {
    if (row.is_rest) other_frames.add(row.size);
    if (row.type == rest_type) other_types.add(row.size);
  }
}

std::vector<Loss> Losses::list() const {
  std::vector<Loss> list{
      {"rows of frames", other_frames.count,
       fmt::format(
           "no callee with an entry accounts for {} of their callers, so frames called `<other>` were added",
           core::counted(other_frames.bytes, "byte"))},
      {"rows of types", other_types.count,
       fmt::format("no type with an entry accounts for {} of their stacks, so the type is `<other>`",
                   core::counted(other_types.bytes, "byte"))},
      {"bytes of types", moved_bytes,
       "the types of a stack accounted for more than the stack itself and were reduced"},
      {"totals of types", separate_types,
       "the oldest dumps do not break down the memory of each stack by type"},
      {"entries", skipped_entries, "their stack, type or size is unknown, or they occur twice"},
      {"remainders", overdrawn, "the parts are larger than the whole, so the remainder was treated as 0"},
      {"object counts", uncounted, "the entries have no counts, so 0 was assumed"},
      {"frames", joined_frames, "they have the name and caller of another frame and were merged with it"},
      {"types", joined_types, "they have the name of another type and were merged with it"},
      {"sums", sums, "they need more than 64 bits"}};
  std::erase_if(list, [](const Loss& loss) { return loss.count == 0; });
  return list;
}

/// Makes the frames and types of one process. Frames in the file with the same caller and name are merged, as
/// are types with the same name.
class Tables {
 public:
  Tables(const format::Model& model, const format::Process& from, const format::FrameForest& forest,
         chrome::Process& to, Profile& profile, Losses& losses);

  [[nodiscard]] FrameIndex frame_of(const SelfRow& row) {
    const FrameIndex frame = row.frame == format::no_row ? no_frame : frames_[row.frame];
    return row.is_rest ? take_frame(frame, format::other_name) : frame;
  }
  [[nodiscard]] TypeIndex type_of(const SelfRow& row) {
    return row.type == rest_type ? take_type(format::other_name) : types_[row.type];
  }

 private:
  /// Returns the frame or type with that name, which is added if there is none.
  FrameIndex take_frame(FrameIndex parent, std::string_view name);
  TypeIndex take_type(std::string_view name);

  chrome::Process* to_;
  Profile* profile_;
  std::unordered_map<std::uint64_t, FrameIndex, core::KeyedHash> frame_places_;  // by parent and name
  std::unordered_map<std::uint32_t, TypeIndex, core::KeyedHash> type_places_;    // by name
  std::vector<FrameIndex> frames_;  // by row in the file's columns
  std::vector<TypeIndex> types_;    // by row in the file's columns
};

Tables::Tables(const format::Model& model, const format::Process& from, const format::FrameForest& forest,
               chrome::Process& to, Profile& profile, Losses& losses)
    : to_(&to), profile_(&profile), frames_(from.frames.count(), no_frame) {
  std::vector<bool> has_callees(from.frames.count());
  for (const std::uint32_t parent : forest.parent) {
    if (parent != format::no_row) has_callees[parent] = true;
  }
  std::uint64_t selves = 0;
  for (const std::uint32_t row : forest.order) {  // callers come before their callees
    const FrameIndex parent = forest.parent[row] == format::no_row ? no_frame : frames_[forest.parent[row]];
    const std::string_view name = model.strings[from.frames.name[row]];
    // If it has callees, `<self>` is a function with that name and not the memory of its caller.
    const bool is_self = name == format::self_name && !has_callees[row];
    frames_[row] = is_self ? parent : take_frame(parent, name);
    selves += is_self ? 1U : 0U;
  }
  losses.joined_frames += forest.order.size() - selves - to.frames.count();
  for (const core::PoolIndex name : from.types.name) types_.push_back(take_type(model.strings[name]));
  losses.joined_types += types_.size() - to.types.size();
}

FrameIndex Tables::take_frame(FrameIndex parent, std::string_view name) {
  const core::PoolIndex text = profile_->strings.intern(name);
  const std::uint64_t key =
      std::uint64_t{static_cast<std::uint32_t>(parent)} << 32 | static_cast<std::uint32_t>(text);
  FrameTree& frames = to_->frames;
  const auto [place, is_new] =
      frame_places_.emplace(key, FrameIndex{static_cast<std::uint32_t>(frames.count())});
  if (is_new) {
    frames.parent.push_back(parent);
    frames.name.push_back(text);
  }
  return place->second;
}

TypeIndex Tables::take_type(std::string_view name) {
  const core::PoolIndex text = profile_->strings.intern(name);
  const auto [place, is_new] = type_places_.emplace(static_cast<std::uint32_t>(text),
                                                    TypeIndex{static_cast<std::uint32_t>(to_->types.size())});
  if (is_new) to_->types.push_back(text);
  return place->second;
}

void convert(const format::Model& model, const format::Process& from, chrome::Process& to, Profile& profile,
             Remainders remainders, Losses& losses) {
  SelfValuesMaker maker(from);
  Tables tables(model, from, maker.forest(), to, profile, losses);
  for (const format::Dump& dump : from.dumps) {
    chrome::Dump& made = to.dumps.emplace_back();
    made.head = dump.head;
    for (const format::Heap& heap : dump.heaps) {
      SelfValues values = maker.make(heap.entries);
      // With a threshold of 0, there are no callees to which a remainder could belong.
      const bool has_rest = model.threshold != 0 && remainders == Remainders::in_callee;
      for (SelfRow& row : values.rows) row.is_rest = row.is_rest && has_rest;
      losses.add(values);
      made.has_counts = made.has_counts && values.uncounted == 0;
      std::vector<HeapRow> rows;
      rows.reserve(values.rows.size());
      for (const SelfRow& row : values.rows) {
        rows.push_back({tables.frame_of(row), tables.type_of(row), row.size, row.count});
      }
      chrome::Heap& made_heap = made.heaps.emplace_back();
      made_heap.allocator = heap.allocator;
      losses.sums += append_rows(std::move(rows), made_heap);
    }
  }
}

}  // namespace

Meaning to_profile(const format::Model& model, Remainders remainders) {
  Meaning result;
  Losses losses;
  for (const format::Process& from : model.processes) {
    chrome::Process& to = result.profile.processes.emplace_back();
    to.pid = from.pid;
    to.name = from.name;
    convert(model, from, to, result.profile, remainders, losses);
  }
  result.losses = losses.list();
  return result;
}

}  // namespace heapcheck::conversion::chrome::legacy
