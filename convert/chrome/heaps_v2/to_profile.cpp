#include "convert/chrome/heaps_v2/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <ranges>
#include <span>
#include <string_view>
#include <utility>

#include "formats/chrome/heaps_v2/scope.hpp"

namespace heapcheck::conversion::chrome::heaps_v2 {

namespace format = heapcheck::chrome::heaps_v2;
namespace {

/// Makes one tree of stack frames from the nodes of a process's dumps. Nodes with the same parent and name
/// are merged into one frame. Nodes may come in any order, and any number of them may have the same parent.
/// Merging n nodes always takes n log n time.
class FrameMerger {
 public:
  /// Adds the nodes of the current dump of `scope`. A node whose name is not in the maps gets the name
  /// `unnamed`.
  void add(const format::Dump& dump, const format::Scope& scope, core::PoolIndex unnamed);

  /// The tree of all added nodes, sorted by level and, within a level, by parent and name.
  [[nodiscard]] FrameTree make_tree();

  /// The frame of a node. Valid after make_tree() has been called.
  [[nodiscard]] FrameIndex frame(format::RowRef node) const { return frame_[number(node)]; }

  /// The number of nodes whose parent is missing or was cut off because the node is its own ancestor.
  [[nodiscard]] std::uint64_t lost_parents() const { return lost_parents_; }
  /// The number of nodes whose name is missing.
  [[nodiscard]] std::uint64_t lost_names() const { return lost_names_; }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  /// The number of a node, counted across all dumps.
  [[nodiscard]] std::uint32_t number(format::RowRef node) const { return first_.at(node.dump) + node.row; }
  [[nodiscard]] std::uint32_t find_parent(const format::Dump& dump, const format::Scope& scope,
                                          std::uint64_t row);
  std::vector<std::uint32_t> measure_depths();
  void walk_up(std::uint32_t node, std::vector<std::uint32_t>& depth, std::vector<std::uint32_t>& path);

  std::map<std::uint32_t, std::uint32_t> first_;  // by dump: the number of its first node
  std::vector<std::uint32_t> parent_;
  std::vector<core::PoolIndex> name_;
  std::vector<FrameIndex> frame_;
  std::uint64_t lost_parents_ = 0;
  std::uint64_t lost_names_ = 0;
};

constexpr std::uint32_t unknown_depth = UINT32_MAX;
constexpr std::uint32_t on_path = UINT32_MAX - 1;

/// The nodes in order of depth, and the index at which each depth begins.
struct Levels {
  std::vector<std::uint32_t> nodes;
  std::vector<std::size_t> starts;
};

Levels sort_by_depth(const std::vector<std::uint32_t>& depth) {
  Levels levels;
  const std::uint32_t deepest = depth.empty() ? 0 : std::ranges::max(depth);
  levels.starts.assign(std::size_t{deepest} + 2, 0);
  for (const std::uint32_t value : depth) ++levels.starts[std::size_t{value} + 1];
  for (std::size_t i = 1; i < levels.starts.size(); ++i) levels.starts[i] += levels.starts[i - 1];
  std::vector<std::size_t> next = levels.starts;
  levels.nodes.resize(depth.size());
  for (std::uint32_t node = 0; node < depth.size(); ++node) levels.nodes[next[depth[node]]++] = node;
  return levels;
}

void FrameMerger::add(const format::Dump& dump, const format::Scope& scope, core::PoolIndex unnamed) {
  first_[scope.current()] = static_cast<std::uint32_t>(parent_.size());
  for (std::uint64_t row = 0; row < dump.nodes.id.size(); ++row) {
    const auto name = scope.find_name(dump.nodes, row);
    lost_names_ += name || dump.nodes.name_sid[row] == 0 ? 0U : 1U;
    name_.push_back(name.value_or(unnamed));
    parent_.push_back(find_parent(dump, scope, row));
  }
}

std::uint32_t FrameMerger::find_parent(const format::Dump& dump, const format::Scope& scope,
                                       std::uint64_t row) {
  const std::uint64_t id = dump.nodes.parent[row];
  if (id == format::no_id) return none;
  const auto parent = scope.find(format::MapKind::nodes, id);
  if (parent) return number(*parent);
  lost_parents_ += id == 0 ? 0U : 1U;
  return none;
}

/// Finds the depth of a node and of all nodes above it, up to the first node whose depth is known.
void FrameMerger::walk_up(std::uint32_t node, std::vector<std::uint32_t>& depth,
                          std::vector<std::uint32_t>& path) {
  path.clear();
  while (node != none && depth[node] == unknown_depth) {
    depth[node] = on_path;
    path.push_back(node);
    node = parent_[node];
  }
  if (node != none && depth[node] == on_path) {
    parent_[path.back()] = none;
    ++lost_parents_;
    node = none;
  }
  std::uint32_t next = node == none ? 0 : depth[node] + 1;
  for (const std::uint32_t below : std::views::reverse(path)) depth[below] = next++;
}

std::vector<std::uint32_t> FrameMerger::measure_depths() {
  std::vector<std::uint32_t> depth(parent_.size(), unknown_depth);
  std::vector<std::uint32_t> path;
  for (std::uint32_t node = 0; node < depth.size(); ++node) walk_up(node, depth, path);
  return depth;
}

FrameTree FrameMerger::make_tree() {
  struct Item {
    std::uint64_t key;  // parent and name
    std::uint32_t node;
  };
  FrameTree tree;
  frame_.assign(parent_.size(), no_frame);
  const Levels levels = sort_by_depth(measure_depths());
  std::vector<Item> items;
  for (std::size_t level = 0; level + 1 < levels.starts.size(); ++level) {
    items.clear();
    const auto nodes = std::span(levels.nodes)
                           .subspan(levels.starts[level], levels.starts[level + 1] - levels.starts[level]);
    for (const std::uint32_t node : nodes) {
      const FrameIndex parent = parent_[node] == none ? no_frame : frame_[parent_[node]];
      items.push_back(
          {std::uint64_t{static_cast<std::uint32_t>(parent)} << 32 | static_cast<std::uint32_t>(name_[node]),
           node});
    }
    std::ranges::sort(items, {}, &Item::key);
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i == 0 || items[i].key != items[i - 1].key) {
        tree.parent.push_back(FrameIndex{static_cast<std::uint32_t>(items[i].key >> 32)});
        tree.name.push_back(name_[items[i].node]);
      }
      frame_[items[i].node] = FrameIndex{static_cast<std::uint32_t>(tree.count() - 1)};
    }
  }
  return tree;
}

/// The kinds of losses in a conversion.
enum class Kind : std::uint8_t { nodes, types, parents, names, heaps, sums };
struct KindInfo {
  std::string_view what;
  std::string_view reason;
};
constexpr std::array kinds{
    KindInfo{"stacks of rows", "the node is not in the maps"},
    KindInfo{"types of rows", "the type is not in the maps"},
    KindInfo{"callers of frames", "the parent is not in the maps, or the frame is its own ancestor"},
    KindInfo{"names of frames and types", "the string is not in the maps"},
    KindInfo{"allocators", "their columns do not form rows"},
    KindInfo{"sums", "they need more than 64 bits"}};

/// Counts the losses of each kind.
class Lost {
 public:
  void add(Kind kind, std::uint64_t count) { counts_[static_cast<std::size_t>(kind)] += count; }
  [[nodiscard]] std::vector<Loss> list() const {
    std::vector<Loss> losses;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (counts_[i] != 0)
        losses.push_back({std::string(kinds[i].what), counts_[i], std::string(kinds[i].reason)});
    }
    return losses;
  }

 private:
  std::array<std::uint64_t, kinds.size()> counts_{};
};

/// Collects the distinct names of the types of a process. `numbers` has the length of the string pool; the
/// destructor restores it.
class TypeNumbers {
 public:
  TypeNumbers(std::vector<std::uint32_t>& numbers, Process& process)
      : numbers_(&numbers), types_(&process.types) {}
  TypeNumbers(const TypeNumbers&) = delete;
  TypeNumbers& operator=(const TypeNumbers&) = delete;
  ~TypeNumbers() {
    for (const core::PoolIndex name : *types_) (*numbers_)[static_cast<std::size_t>(name)] = UINT32_MAX;
  }

  TypeIndex number(core::PoolIndex name) {
    std::uint32_t& number = (*numbers_)[static_cast<std::size_t>(name)];
    if (number == UINT32_MAX) {
      number = static_cast<std::uint32_t>(types_->size());
      types_->push_back(name);
    }
    return TypeIndex{number};
  }

 private:
  std::vector<std::uint32_t>* numbers_;
  std::vector<core::PoolIndex>* types_;
};

/// The head of a dump event. An event in the proposed layout gets the phase and name of a memory dump, and an
/// id if it has none.
heapcheck::chrome::EventHead make_head(const format::Dump& dump) {
  heapcheck::chrome::EventHead head = dump.head;
  if (dump.layout == format::Layout::heaps_v2) return head;
  head.phase = "v";
  head.name = "periodic_interval";
  if (head.id.empty()) head.id = fmt::format("{:#x}", head.index);
  return head;
}

/// Makes the dumps of one process.
class ProcessMaker {
 public:
  ProcessMaker(const format::Model& model, core::PoolIndex unknown_type,
               std::vector<std::uint32_t>& type_numbers, Process& process, Lost& lost)
      : model_(&model),
        scope_(model),
        types_(type_numbers, process),
        unknown_type_(unknown_type),
        process_(&process),
        lost_(&lost) {}

  void make(const std::vector<std::uint32_t>& dumps) {
    format::Scope scope(*model_);
    for (const std::uint32_t dump : dumps) {
      scope.enter(dump);
      merger_.add(model_->dumps[dump], scope, unknown_type_);
    }
    process_->frames = merger_.make_tree();
    lost_->add(Kind::parents, merger_.lost_parents());
    lost_->add(Kind::names, merger_.lost_names());
    for (const std::uint32_t dump : dumps) make_dump(dump);
  }

 private:
  void make_dump(std::uint32_t index) {
    const format::Dump& dump = model_->dumps[index];
    scope_.enter(index);
    chrome::Dump& made = process_->dumps.emplace_back();
    made.head = make_head(dump);
    name_types(dump, type_names_[index]);
    for (const format::Heap& heap : dump.heaps) make_heap(heap, made.heaps.emplace_back());
  }

  void name_types(const format::Dump& dump, std::vector<core::PoolIndex>& names) {
    for (std::uint64_t row = 0; row < dump.types.id.size(); ++row) {
      const auto name = scope_.find_name(dump.types, row);
      lost_->add(Kind::names, name || dump.types.name_sid[row] == 0 ? 0U : 1U);
      names.push_back(name.value_or(unknown_type_));
    }
  }

  void make_heap(const format::Heap& heap, chrome::Heap& made) {
    made.allocator = heap.allocator;
    const std::size_t count = heap.columns[0].values.size();
    const bool has_rows = std::ranges::all_of(
        heap.columns, [count](const format::NumberColumn& column) { return column.values.size() == count; });
    if (!has_rows || !heap.is_whole) {
      lost_->add(Kind::heaps, 1);
      return;
    }
    std::vector<HeapRow> rows;
    rows.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      rows.push_back({find_frame(heap[format::HeapColumn::nodes].values[i]),
                      find_type(heap[format::HeapColumn::types].values[i]),
                      heap[format::HeapColumn::sizes].values[i], heap[format::HeapColumn::counts].values[i]});
    }
    lost_->add(Kind::sums, append_rows(std::move(rows), made));
  }

  FrameIndex find_frame(std::uint64_t id) {
    const auto found = scope_.find(format::MapKind::nodes, id);
    if (found) return merger_.frame(*found);
    lost_->add(Kind::nodes, format::may_be_no_stack(id) ? 0U : 1U);
    return no_frame;
  }

  TypeIndex find_type(std::uint64_t id) {
    const auto found = scope_.find(format::MapKind::types, id);
    if (found) return types_.number(type_names_.at(found->dump)[found->row]);
    lost_->add(Kind::types, id == 0 ? 0U : 1U);
    return types_.number(unknown_type_);
  }

  const format::Model* model_;
  format::Scope scope_;
  FrameMerger merger_;
  TypeNumbers types_;
  core::PoolIndex unknown_type_;
  Process* process_;
  Lost* lost_;
  std::map<std::uint32_t, std::vector<core::PoolIndex>> type_names_;  // by dump and row
};

}  // namespace

Meaning to_profile(const format::Model& model) {
  Meaning meaning;
  Profile& profile = meaning.profile;
  profile.strings = model.strings;
  const core::PoolIndex unknown_type = profile.strings.intern("[unknown]");
  std::vector<std::uint32_t> type_numbers(profile.strings.count(), UINT32_MAX);
  Lost lost;
  const auto by_pid = find_processes(model);
  for (const format::Dump& dump : model.dumps) {
    const std::int64_t pid = dump.head.pid.value_or(0);
    if (&dump != &model.dumps[by_pid.at(pid).front()]) continue;
    Process& process = profile.processes.emplace_back();
    process.pid = pid;
    ProcessMaker(model, unknown_type, type_numbers, process, lost).make(by_pid.at(pid));
  }
  meaning.losses = lost.list();
  return meaning;
}

}  // namespace heapcheck::conversion::chrome::heaps_v2
