#include "convert/chrome/heaps_v2/profile.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "formats/core/checked.hpp"

namespace heapcheck::conversion::chrome::heaps_v2 {

namespace format = heapcheck::chrome::heaps_v2;
namespace {

constexpr std::uint64_t no_number = UINT64_MAX;
constexpr std::string_view unknown_type = "[unknown]";

std::size_t place(FrameIndex frame) { return static_cast<std::size_t>(frame); }
std::size_t place(TypeIndex type) { return static_cast<std::size_t>(type); }
std::size_t place(core::PoolIndex text) { return static_cast<std::size_t>(text); }

/// Returns whether a row has any memory.
bool has_memory(const chrome::Heap& heap, std::uint64_t row) {
  return heap.size[row] != 0 || heap.count[row] != 0;
}

/// Collects the frames and types that dumps need, and the callers of these frames, each only once. The time
/// depends on the size of the dumps, not on that of the process.
class Collector {
 public:
  explicit Collector(const Process& process)
      : tree_(&process.frames), frame_stamps_(process.frames.count()), type_stamps_(process.types.size()) {}

  void start() {
    ++now_;
    frames.clear();
    types.clear();
  }
  void add(const chrome::Dump& dump) {
    for (const chrome::Heap& heap : dump.heaps) {
      for (std::uint64_t row = 0; row < heap.row_count(); ++row) {
        if (!has_memory(heap, row)) continue;
        add_stack(heap.frame[row]);
        if (stamp(type_stamps_[place(heap.type[row])])) types.push_back(heap.type[row]);
      }
    }
  }

  std::vector<FrameIndex> frames;
  std::vector<TypeIndex> types;

 private:
  bool stamp(std::uint32_t& stamp) const { return std::exchange(stamp, now_) != now_; }
  void add_stack(FrameIndex frame) {
    for (; frame != no_frame && stamp(frame_stamps_[place(frame)]); frame = tree_->parent[place(frame)]) {
      frames.push_back(frame);
    }
  }

  const FrameTree* tree_;
  std::uint32_t now_ = 0;
  std::vector<std::uint32_t> frame_stamps_;
  std::vector<std::uint32_t> type_stamps_;
};

/// Assigns ids to the frames, names and types of a process.
class Numbering {
 public:
  /// `sids` has the length of the string pool and contains only no_number; the destructor restores this
  /// state.
  Numbering(const Profile& profile, const Process& process, Collector& used, std::vector<std::uint64_t>& sids)
      : profile_(&profile), process_(&process), sids_(&sids) {
    used.start();
    for (const chrome::Dump& dump : process.dumps) used.add(dump);
    number_types(used.types);
    number_frames(used.frames);
  }
  Numbering(const Numbering&) = delete;
  Numbering& operator=(const Numbering&) = delete;
  ~Numbering() {
    for (const core::PoolIndex name : process_->frames.name) (*sids_)[place(name)] = no_number;
    for (const core::PoolIndex name : process_->types) (*sids_)[place(name)] = no_number;
  }

  [[nodiscard]] std::uint64_t id(FrameIndex frame) const {
    return frame == no_frame ? 0 : frame_ids_[place(frame)];
  }
  [[nodiscard]] std::uint64_t id(TypeIndex type) const { return type_ids_[place(type)]; }
  [[nodiscard]] std::uint64_t sid(core::PoolIndex name) const { return (*sids_)[place(name)]; }

 private:
  [[nodiscard]] std::string_view name(FrameIndex frame) const {
    return profile_->strings[process_->frames.name[place(frame)]];
  }
  [[nodiscard]] std::string_view name(TypeIndex type) const {
    return profile_->strings[process_->types[place(type)]];
  }
  void number_name(core::PoolIndex name) {
    std::uint64_t& sid = (*sids_)[place(name)];
    if (sid == no_number) sid = next_++;
  }

  void number_types(std::vector<TypeIndex>& used) {
    const auto rank = [this](TypeIndex type) { return std::pair(name(type) != unknown_type, name(type)); };
    std::ranges::sort(used, {}, rank);
    type_ids_.assign(process_->types.size(), no_number);
    std::uint64_t next_type = 1;
    for (const TypeIndex type : used) {
      type_ids_[place(type)] = name(type) == unknown_type ? 0 : next_type++;
      number_name(process_->types[place(type)]);
    }
  }

  /// The index of a frame in a list of parents that begins with the empty stack.
  [[nodiscard]] static std::size_t slot(FrameIndex frame) { return frame == no_frame ? 0 : place(frame) + 1; }

  /// Walks down the tree, visiting children in order of name, and numbers each frame on the way.
  void number_frames(std::vector<FrameIndex>& used) {
    const FrameTree& tree = process_->frames;
    const auto rank = [&](FrameIndex frame) {
      return std::pair(slot(tree.parent[place(frame)]), name(frame));
    };
    std::ranges::sort(used, {}, rank);
    std::vector<std::size_t> starts(tree.count() + 2, 0);
    for (const FrameIndex frame : used) ++starts[slot(tree.parent[place(frame)]) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    frame_ids_.assign(tree.count(), no_number);
    // Trees from an input may be too deep for recursion. The first child is pushed last, so that it is
    // visited next.
    std::vector<FrameIndex> open;
    const auto push_children = [&](FrameIndex parent) {
      for (std::size_t i = starts[slot(parent) + 1]; i-- > starts[slot(parent)];) open.push_back(used[i]);
    };
    for (push_children(no_frame); !open.empty();) {
      const FrameIndex frame = open.back();
      open.pop_back();
      number_name(tree.name[place(frame)]);
      frame_ids_[place(frame)] = next_++;
      push_children(frame);
    }
  }

  const Profile* profile_;
  const Process* process_;
  std::vector<std::uint64_t>* sids_;
  std::uint64_t next_ = 1;
  std::vector<std::uint64_t> frame_ids_;
  std::vector<std::uint64_t> type_ids_;
};

void fill_heap(const chrome::Heap& heap, const Numbering& numbers, format::Heap& made) {
  made.allocator = heap.allocator;
  std::vector<std::uint64_t> rows;
  for (std::uint64_t row = 0; row < heap.row_count(); ++row) {
    if (has_memory(heap, row)) rows.push_back(row);
  }
  std::ranges::sort(rows, {}, [&](std::uint64_t row) {
    return std::pair(numbers.id(heap.frame[row]), numbers.id(heap.type[row]));
  });
  for (format::NumberColumn& column : made.columns) column.is_present = true;
  for (const std::uint64_t row : rows) {
    made[format::HeapColumn::nodes].values.push_back(numbers.id(heap.frame[row]));
    made[format::HeapColumn::types].values.push_back(numbers.id(heap.type[row]));
    made[format::HeapColumn::counts].values.push_back(heap.count[row]);
    made[format::HeapColumn::sizes].values.push_back(heap.size[row]);
  }
}

format::Total make_total(const format::Heap& heap) {
  format::Total total{heap.allocator, 0, {}, std::nullopt, std::nullopt};
  for (const std::uint64_t size : heap[format::HeapColumn::sizes].values) {
    total.size = core::saturating_add(total.size, size);
  }
  total.objects_size = total.size;
  return total;
}

/// Appends each name once, in order of id.
void fill_strings(std::vector<core::PoolIndex>& names, const Numbering& numbers, format::StringMap& strings) {
  std::ranges::sort(names, {}, [&](core::PoolIndex name) { return numbers.sid(name); });
  const auto rest = std::ranges::unique(names);
  names.erase(rest.begin(), rest.end());
  for (const core::PoolIndex name : names) {
    strings.id.push_back(numbers.sid(name));
    strings.text.push_back(name);
  }
}

void fill_maps(const Process& process, Collector& used, const Numbering& numbers, format::Dump& made) {
  const auto by_id = [&numbers](auto index) { return numbers.id(index); };
  std::ranges::sort(used.types, {}, by_id);
  std::ranges::sort(used.frames, {}, by_id);
  std::vector<core::PoolIndex> names;
  for (const TypeIndex type : used.types) {
    names.push_back(process.types[place(type)]);
    made.types.id.push_back(numbers.id(type));
    made.types.name_sid.push_back(numbers.sid(names.back()));
  }
  for (const FrameIndex frame : used.frames) {
    const FrameIndex parent = process.frames.parent[place(frame)];
    names.push_back(process.frames.name[place(frame)]);
    made.nodes.id.push_back(numbers.id(frame));
    made.nodes.name_sid.push_back(numbers.sid(names.back()));
    made.nodes.parent.push_back(parent == no_frame ? format::no_id : numbers.id(parent));
  }
  fill_strings(names, numbers, made.strings);
}

format::Dump make_dump(const Process& process, const chrome::Dump& dump, const Numbering& numbers,
                       Collector& used) {
  format::Dump made;
  made.head = dump.head;
  made.head.pid = process.pid;
  made.version = 1;
  for (const chrome::Heap& heap : dump.heaps) fill_heap(heap, numbers, made.heaps.emplace_back());
  std::erase_if(made.heaps,
                [](const format::Heap& heap) { return heap[format::HeapColumn::sizes].values.empty(); });
  std::ranges::sort(made.heaps, {}, &format::Heap::allocator);
  for (const format::Heap& heap : made.heaps) made.totals.push_back(make_total(heap));
  used.start();
  used.add(dump);
  fill_maps(process, used, numbers, made);
  return made;
}

/// A dump of the profile, and the index of its event.
struct DumpRef {
  std::uint64_t event;
  std::size_t process;
  std::size_t dump;
};

/// All dumps in the order of their events.
std::vector<DumpRef> list_dumps(const Profile& profile) {
  std::vector<DumpRef> refs;
  for (std::size_t process = 0; process < profile.processes.size(); ++process) {
    const auto& dumps = profile.processes[process].dumps;
    for (std::size_t dump = 0; dump < dumps.size(); ++dump) {
      refs.push_back({dumps[dump].head.index, process, dump});
    }
  }
  std::ranges::sort(refs, {},
                    [](const DumpRef& ref) { return std::tuple(ref.event, ref.process, ref.dump); });
  return refs;
}

}  // namespace

format::Model from_profile(const Profile& profile) {
  format::Model model;
  model.strings = profile.strings;
  std::vector<std::uint64_t> sids(profile.strings.count(), no_number);
  std::vector<std::vector<format::Dump>> made(profile.processes.size());
  for (std::size_t i = 0; i < profile.processes.size(); ++i) {
    const Process& process = profile.processes[i];
    Collector used(process);
    const Numbering numbers(profile, process, used, sids);
    for (const chrome::Dump& dump : process.dumps) made[i].push_back(make_dump(process, dump, numbers, used));
  }
  for (const DumpRef& ref : list_dumps(profile)) {
    model.dumps.push_back(std::move(made[ref.process][ref.dump]));
  }
  return model;
}

}  // namespace heapcheck::conversion::chrome::heaps_v2
