#include "convert/chrome/legacy/profile.hpp"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <utility>

#include "convert/chrome/legacy/breakdown.hpp"
#include "formats/chrome/legacy/layout.hpp"
#include "formats/core/checked.hpp"

namespace heapcheck::conversion::chrome::legacy {

namespace format = heapcheck::chrome::legacy;
namespace {

constexpr std::uint64_t cell_bytes =
    100;  // including the row that it becomes, and the space that growing columns reserve

/// Makes entries without ids. In these entries, a FrameId is a Site and a TypeId is a TypeIndex.
format::Heap make_heap(const chrome::Heap& from, Breakdown breakdown) {
  format::Heap heap;
  heap.allocator = from.allocator;
  format::Entries& entries = heap.entries;
  for (const Site site : breakdown.site) entries.frame.push_back(static_cast<format::FrameId>(site));
  for (const TypeIndex type : breakdown.type) entries.type.push_back(static_cast<format::TypeId>(type));
  entries.size = std::move(breakdown.size);
  entries.count = std::move(breakdown.count);
  entries.at.resize(entries.row_count());
  entries.length.resize(entries.row_count());
  return heap;
}

/// Assigns consecutive numbers to the items that are used; unused items keep 0.
class Numbers {
 public:
  explicit Numbers(std::size_t count) : numbers_(count) {}
  void use(std::size_t place) { numbers_[place] = 1; }
  [[nodiscard]] bool is_used(std::size_t place) const { return numbers_[place] != 0; }
  void number() {
    std::uint32_t next = 0;
    for (std::uint32_t& number : numbers_) {
      if (number != 0) number = ++next;
    }
  }
  [[nodiscard]] std::uint32_t operator[](std::size_t place) const { return numbers_[place] - 1; }

 private:
  std::vector<std::uint32_t> numbers_;
};

class ProcessWriter {
 public:
  ProcessWriter(const Profile& profile, const chrome::Process& from, format::Model& model,
                format::Process& to)
      : profile_(&profile),
        from_(&from),
        model_(&model),
        to_(&to),
        sites_(2 * from.frames.count() + 2),
        types_(from.types.size()) {
    to.pid = from.pid;
    to.name = from.name;
  }

  /// Finds the roles of frames and types. Returns the number of frames that are called `<self>` and have no
  /// callees with memory; their memory counts as memory of their callers.
  std::uint64_t find_roles();
  /// Returns false if there are too many cumulative values.
  bool write_dumps(const CutOff& cut_off, std::uint64_t& max_cells, std::uint64_t& dropped);
  void give_ids();

 private:
  [[nodiscard]] std::vector<bool> find_memory() const;
  void use_entries(const format::Entries& entries);
  void name_frames();
  void name_types();
  void add_name(format::Names& names, std::string_view name);

  const Profile* profile_;
  const chrome::Process* from_;
  format::Model* model_;
  format::Process* to_;
  Roles roles_;
  Numbers sites_;
  Numbers types_;
};

/// Finds the frames that have memory of their own in any heap.
std::vector<bool> ProcessWriter::find_memory() const {
  std::vector<bool> has_memory(from_->frames.count());
  for (const chrome::Dump& dump : from_->dumps) {
    for (const chrome::Heap& heap : dump.heaps) {
      for (std::uint64_t row = 0; row < heap.row_count(); ++row) {
        const bool has_any = heap.size[row] != 0 || heap.count[row] != 0;
        if (has_any && heap.frame[row] != no_frame) {
          has_memory[static_cast<std::size_t>(heap.frame[row])] = true;
        }
      }
    }
  }
  return has_memory;
}

std::uint64_t ProcessWriter::find_roles() {
  const FrameTree& frames = from_->frames;
  std::vector<bool> has_memory = find_memory();
  std::vector<bool> is_caller(frames.count());
  std::vector<bool> is_merged(frames.count());
  // Callees come after their callers, so when going backwards, all callees of a frame are known.
  for (std::size_t frame = frames.count(); frame-- > 0;) {
    is_merged[frame] = profile_->strings[frames.name[frame]] == format::self_name && !is_caller[frame];
    if (!has_memory[frame] || frames.parent[frame] == no_frame) continue;
    const auto parent = static_cast<std::size_t>(frames.parent[frame]);
    has_memory[parent] = true;
    if (!is_merged[frame]) is_caller[parent] = true;
  }
  std::uint64_t merged = 0;
  for (std::uint32_t frame = 0; frame < frames.count(); ++frame) {
    const FrameIndex parent = frames.parent[frame];
    const FrameIndex above = parent == no_frame ? no_frame : roles_.owner[static_cast<std::size_t>(parent)];
    roles_.owner.push_back(is_merged[frame] ? above : FrameIndex{frame});
    roles_.is_other.push_back(profile_->strings[frames.name[frame]] == format::other_name);
    if (is_merged[frame] && has_memory[frame]) ++merged;
  }
  for (std::uint32_t type = 0; type < from_->types.size(); ++type) {
    if (profile_->strings[from_->types[type]] == format::other_name) roles_.other_type = TypeIndex{type};
  }
  return merged;
}

bool ProcessWriter::write_dumps(const CutOff& cut_off, std::uint64_t& max_cells, std::uint64_t& dropped) {
  BreakdownMaker maker(from_->frames, from_->types.size(), roles_, cut_off);
  for (const chrome::Dump& dump : from_->dumps) {
    format::Dump& made = to_->dumps.emplace_back();
    made.head = dump.head;
    for (const chrome::Heap& heap : dump.heaps) {
      auto breakdown = maker.make(heap, max_cells);
      if (!breakdown) return false;
      dropped += breakdown->dropped;
      made.heaps.push_back(make_heap(heap, std::move(*breakdown)));
    }
  }
  return true;
}

/// Assigns ids to the frames and types that entries use, in the order of the profile, and writes their names.
void ProcessWriter::give_ids() {
  for (const format::Dump& dump : to_->dumps) {
    for (const format::Heap& heap : dump.heaps) use_entries(heap.entries);
  }
  sites_.number();
  types_.number();
  name_frames();
  name_types();
  for (format::Dump& dump : to_->dumps) {
    for (format::Heap& heap : dump.heaps) {
      for (format::FrameId& id : heap.entries.frame) {
        const auto site = static_cast<std::size_t>(id);
        id = site == 0 ? format::empty_stack : format::FrameId{sites_[site]};
      }
      for (format::TypeId& id : heap.entries.type) {
        if (id != format::all_types) id = format::TypeId{types_[static_cast<std::size_t>(id)]};
      }
    }
  }
}

void ProcessWriter::use_entries(const format::Entries& entries) {
  for (const format::FrameId id : entries.frame) {
    if (static_cast<std::size_t>(id) != 0) sites_.use(static_cast<std::size_t>(id));
  }
  for (const format::TypeId id : entries.type) {
    if (id != format::all_types) types_.use(static_cast<std::size_t>(id));
  }
}

void ProcessWriter::name_frames() {
  to_->frames.events.emplace_back();
  for (std::size_t place = 1; place < 2 * from_->frames.count() + 2; ++place) {
    if (!sites_.is_used(place)) continue;
    const Site site{static_cast<std::uint32_t>(place)};
    const auto frame = static_cast<std::size_t>(frame_of(site));
    const Site caller = is_self(site) ? site_of(frame_of(site)) : site_of(from_->frames.parent[frame]);
    to_->frames.id.push_back(format::FrameId{sites_[place]});
    to_->frames.parent.push_back(caller == root_site
                                     ? format::empty_stack
                                     : format::FrameId{sites_[static_cast<std::size_t>(caller)]});
    add_name(to_->frames, is_self(site) ? format::self_name : profile_->strings[from_->frames.name[frame]]);
  }
}

void ProcessWriter::name_types() {
  to_->types.events.emplace_back();
  for (std::size_t type = 0; type < from_->types.size(); ++type) {
    if (!types_.is_used(type)) continue;
    to_->types.id.push_back(format::TypeId{types_[type]});
    add_name(to_->types, profile_->strings[from_->types[type]]);
  }
}

void ProcessWriter::add_name(format::Names& names, std::string_view name) {
  names.name.push_back(model_->strings.intern(name));
  names.offset.push_back(0);
  names.length.push_back(0);
  names.event.push_back(0);
}

/// Returns whether an entry can represent the sum of the values.
bool has_sum(const std::vector<std::uint64_t>& values) {
  return core::saturating_sum(values) < format::no_value;
}

Result<void> check_sums(const chrome::Process& process) {
  for (const chrome::Dump& dump : process.dumps) {
    for (const chrome::Heap& heap : dump.heaps) {
      if (has_sum(heap.size) && has_sum(heap.count)) continue;
      return std::unexpected(Error{
          ErrorKind::unsupported,
          fmt::format(
              "the sizes or counts of allocator {} in process {} add up to more than {}, the largest value "
              "of an entry",
              heap.allocator, process.pid, format::no_value - 1)});
    }
  }
  return {};
}

std::vector<Loss> list_losses(std::uint64_t merged, std::uint64_t dropped) {
  std::vector<Loss> losses{
      {"frames", merged, "they are called `<self>`, which readers mistake for the memory of the caller"},
      {"entries", dropped, "they are below the cut-off; their memory is part of other entries"}};
  std::erase_if(losses, [](const Loss& loss) { return loss.count == 0; });
  return losses;
}

}  // namespace

Result<FromProfile> from_profile(const Profile& profile, const CutOff& cut_off, const Limits& limits) {
  FromProfile result;
  std::uint64_t max_cells = limits.max_memory / cell_bytes;
  std::uint64_t merged = 0;
  std::uint64_t dropped = 0;
  for (const chrome::Process& from : profile.processes) {
    if (auto sums = check_sums(from); !sums) return std::unexpected(sums.error());
    format::Process& to = result.model.processes.emplace_back();
    ProcessWriter writer(profile, from, result.model, to);
    merged += writer.find_roles();
    if (from.frames.count() > max_frames || !writer.write_dumps(cut_off, max_cells, dropped)) {
      return std::unexpected(Error{
          ErrorKind::limit,
          fmt::format("the cumulative values of the profile do not fit into {} bytes", limits.max_memory)});
    }
    // Only frames and types with entries get ids, so all dumps of the process must be made first.
    writer.give_ids();
  }
  result.losses = list_losses(merged, dropped);
  return result;
}

}  // namespace heapcheck::conversion::chrome::legacy
