#include "convert/chrome/legacy/self_values.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <utility>

#include "convert/chrome/legacy/type_moves.hpp"
#include "formats/core/checked.hpp"

namespace heapcheck::conversion::chrome::legacy {
namespace {

/// The positions of stacks in the walk through the trees: first the total, then the empty stack (in the old
/// variant, which has self values), and then the frames.
constexpr std::uint64_t place_of_all = 0;
constexpr std::uint64_t place_of_empty = 1;
constexpr std::uint64_t first_place = 2;

constexpr std::uint32_t total = 0;  // as the type of a cell: all types
constexpr std::uint32_t none = UINT32_MAX;

struct Cell {
  std::uint64_t place = 0;
  std::uint32_t type = total;  // or 1 + the row of a type
  Values values{};             // the values of the entry; later, the remainder
  std::uint32_t above = none;  // the previous cell in `tops_` for its type; at first, its row
  std::uint32_t cover = none;  // the last cover in its stack
};

/// The remainders (begin, end] of a stack that has an entry of a type and is below another stack with an
/// entry of that type. Memory of this type is not moved there because the sum of the entry is known.
struct Cover {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint32_t before = none;  // the cover before it in the same stack
};

/// The cells of a stack, and the sums of the stacks below it.
struct Node {
  std::size_t begin = 0;
  std::size_t end = 0;
  Values below{};
  bool has_callees = false;
  std::size_t first_rest = 0;  // the number of remainders before it
};

class Walk {
 public:
  Walk(const format::Entries& entries, const SelfValuesMaker::Tables& tables,
       std::vector<std::uint32_t>& tops)
      : entries_(&entries), tables_(&tables), is_old_(entries.is_old_variant()), tops_(&tops) {}

  SelfValues run();

 private:
  void gather();
  void forget_types();
  [[nodiscard]] std::uint64_t find_place(format::FrameId id) const;
  [[nodiscard]] bool is_below(std::uint64_t place, std::uint64_t other) const;
  void enter(std::size_t begin, std::size_t end);
  void leave();
  Values take_rest(const Node& node);
  void even_out(const Node& node, std::size_t axis, std::uint64_t whole, std::uint64_t& rest);
  void move_excess(const Node& node, std::size_t axis, std::uint64_t whole);
  std::uint64_t move_to_rests(const Node& node, const Cell& cell, std::size_t axis, std::uint64_t amount);
  std::uint64_t fill_rest(std::size_t rest, const Cell& cell, std::size_t axis, std::uint64_t amount);
  std::size_t find_rest(std::size_t axis, std::size_t from);
  void add_rest();
  void add_cover(const Node& node, std::uint32_t above);
  void emit(const Node& node, const Values& rest);
  void resolve_shortages();
  [[nodiscard]] std::vector<TypedStack> list_stacks() const;
  void place_rows(std::vector<TypedStack>& stacks) const;
  void take_shares(const std::vector<TypedStack>& stacks);
  void subtract(std::uint64_t& from, std::uint64_t amount);

  const format::Entries* entries_;
  const SelfValuesMaker::Tables* tables_;
  bool is_old_;
  std::vector<Cell> cells_;
  std::vector<Node> open_;  // the stack that is being walked and the stacks of its callers, outermost first
  std::vector<std::uint32_t>* tops_;  // by type: the innermost open cell
  SelfValues result_;
  // The remainders of types, counted from 1: their rows and, for each axis and remainder, the last remainder
  // up to it that still has memory. 0 means none.
  std::vector<std::size_t> rests_{0};
  std::array<std::vector<std::size_t>, 2> last_full_{std::vector<std::size_t>{0},
                                                     std::vector<std::size_t>{0}};
  std::vector<Cover> covers_;
  std::vector<Shortage> shortages_;
  std::vector<std::uint32_t> row_cells_;  // by row: the cell of its type, or no_cell
};

SelfValues Walk::run() {
  gather();
  for (std::size_t begin = 0; begin < cells_.size();) {
    const std::uint64_t place = cells_[begin].place;
    while (!open_.empty() && !is_below(place, cells_[open_.back().begin].place)) leave();
    std::size_t end = begin;
    while (end < cells_.size() && cells_[end].place == place) ++end;
    enter(begin, end);
    begin = end;
  }
  while (!open_.empty()) leave();
  if (!shortages_.empty()) resolve_shortages();
  std::erase_if(result_.rows, [](const SelfRow& row) { return row.size == 0 && row.count == 0; });
  return std::move(result_);
}

/// Gathers the entries that can be resolved, in the order of the walk. Each pair of a frame and a type occurs
/// only once.
void Walk::gather() {
  for (std::uint64_t row = 0; row < entries_->row_count(); ++row) {
    Cell cell;
    cell.place = find_place(entries_->frame[row]);
    const format::TypeId type = entries_->type[row];
    const auto known = tables_->types.find(static_cast<std::uint32_t>(type));
    if (known) cell.type = *known + 1;
    if (cell.place == UINT64_MAX || (!known && type != format::all_types) ||
        entries_->size[row] == format::no_value) {
      ++result_.skipped_entries;
      continue;
    }
    const std::uint64_t count = entries_->count[row];
    if (count == format::no_value) ++result_.uncounted;
    cell.values = {entries_->size[row], count == format::no_value ? 0 : count};
    cell.above = static_cast<std::uint32_t>(row);
    cells_.push_back(cell);
  }
  // Entries are also sorted by row, so that if an entry occurs twice, the first one in the file is kept.
  const auto key = [](const Cell& cell) { return std::tie(cell.place, cell.type); };
  std::ranges::sort(cells_, {}, [](const Cell& cell) { return std::tie(cell.place, cell.type, cell.above); });
  const auto repeated = std::ranges::unique(cells_, {}, key);
  result_.skipped_entries += repeated.size();
  cells_.erase(repeated.begin(), repeated.end());
  if (is_old_) forget_types();
}

/// In the old variant, each entry has a stack or a type but not both. If there are any stacks, the types
/// cannot be represented in the self values.
void Walk::forget_types() {
  if (std::ranges::all_of(cells_, [](const Cell& cell) { return cell.place == place_of_all; })) return;
  result_.separate_types += std::erase_if(cells_, [](const Cell& cell) { return cell.type != total; });
}

/// The position of a stack; UINT64_MAX if the stack is unknown.
std::uint64_t Walk::find_place(format::FrameId id) const {
  if (id == format::empty_stack) return is_old_ ? place_of_empty : place_of_all;
  if (id == format::no_stack) return is_old_ ? place_of_all : UINT64_MAX;
  const auto row = tables_->forest.index.find(static_cast<std::uint32_t>(id));
  return row ? first_place + tables_->preorder.place[*row] : UINT64_MAX;
}

/// Returns whether the stack at `place` is part of the one at `other`, which comes before it.
bool Walk::is_below(std::uint64_t place, std::uint64_t other) const {
  if (other == place_of_all) return true;
  return !is_old_ && place - first_place <= tables_->preorder.last[other - first_place];
}

void Walk::enter(std::size_t begin, std::size_t end) {
  if (!open_.empty()) open_.back().has_callees = true;
  open_.push_back({.begin = begin, .end = end, .first_rest = rests_.size() - 1});
  for (std::size_t i = begin; i < end; ++i) {
    if (cells_[i].type == total) continue;
    std::uint32_t& top = (*tops_)[cells_[i].type - 1];
    if (top != none) {
      for (std::size_t axis = 0; axis < 2; ++axis) {
        subtract(cells_[top].values[axis], cells_[i].values[axis]);
      }
    }
    cells_[i].above = top;
    top = static_cast<std::uint32_t>(i);
  }
}

/// Closes the innermost open stack after its walk. The values that remain in its cells are its own memory.
void Walk::leave() {
  const Node node = open_.back();
  open_.pop_back();
  for (std::size_t i = node.begin; i < node.end; ++i) {
    if (cells_[i].type != total) (*tops_)[cells_[i].type - 1] = cells_[i].above;
  }
  // A writer that kept only the largest shares may have left out the entry for all types, which comes first.
  Values whole = cells_[node.begin].values;
  if (cells_[node.begin].type != total) {
    whole = node.below;
    for (std::size_t i = node.begin; i < node.end; ++i) {
      for (std::size_t axis = 0; axis < 2; ++axis) {
        whole[axis] = core::saturating_add(whole[axis], cells_[i].values[axis]);
      }
    }
  }
  if (!open_.empty()) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      open_.back().below[axis] = core::saturating_add(open_.back().below[axis], whole[axis]);
    }
  }
  emit(node, take_rest(node));
  for (std::size_t i = node.begin; i < node.end; ++i) {
    if (cells_[i].type != total && cells_[i].above != none) add_cover(node, cells_[i].above);
  }
}

void Walk::add_cover(const Node& node, std::uint32_t above) {
  covers_.push_back({node.first_rest, rests_.size() - 1, cells_[above].cover});
  cells_[above].cover = static_cast<std::uint32_t>(covers_.size() - 1);
}

/// Returns the memory of the node that no type accounts for. If the types account for more memory than the
/// node has, the excess belongs to callees whose entries were left out, and is moved to the remainders of
/// types below the node. If there are not enough remainders, reduces the types.
Values Walk::take_rest(const Node& node) {
  Values rest{};
  if (cells_[node.begin].type != total) return rest;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    std::uint64_t own = cells_[node.begin].values[axis];
    subtract(own, node.below[axis]);
    move_excess(node, axis, own);
    even_out(node, axis, own, rest[axis]);
  }
  return rest;
}

void Walk::move_excess(const Node& node, std::size_t axis, std::uint64_t whole) {
  std::uint64_t sum = 0;
  for (std::size_t i = node.begin + 1; i < node.end; ++i) {
    sum = core::saturating_add(sum, cells_[i].values[axis]);
  }
  std::uint64_t excess = sum - std::min(sum, whole);
  for (std::size_t i = node.begin + 1; i < node.end && excess != 0; ++i) {
    const std::uint64_t moved =
        move_to_rests(node, cells_[i], axis, std::min(excess, cells_[i].values[axis]));
    cells_[i].values[axis] -= moved;
    excess -= moved;
  }
}

/// Moves up to `amount` of a cell's memory to remainders below the node, last one first. Returns the sum.
std::uint64_t Walk::move_to_rests(const Node& node, const Cell& cell, std::size_t axis,
                                  std::uint64_t amount) {
  std::uint32_t cover = cell.cover;
  std::uint64_t moved = 0;
  std::size_t rest = find_rest(axis, rests_.size() - 1);
  while (moved < amount && rest > node.first_rest) {
    while (cover != none && covers_[cover].begin >= rest) cover = covers_[cover].before;
    if (cover != none && rest <= covers_[cover].end) {
      rest = find_rest(axis, covers_[cover].begin);
      continue;
    }
    moved += fill_rest(rest, cell, axis, amount - moved);
    rest = find_rest(axis, rest - 1);
  }
  return moved;
}

/// Turns up to `amount` of a remainder into memory of a cell. Returns the amount used.
std::uint64_t Walk::fill_rest(std::size_t rest, const Cell& cell, std::size_t axis, std::uint64_t amount) {
  SelfRow& from = result_.rows[rests_[rest]];
  SelfRow row{.frame = from.frame, .is_rest = from.is_rest, .type = cell.type - 1};
  std::uint64_t& value = axis == 0 ? from.size : from.count;
  const std::uint64_t moved = std::min(value, amount);
  value -= moved;
  if (value == 0) last_full_[axis][rest] = rest - 1;
  (axis == 0 ? row.size : row.count) = moved;
  result_.rows.push_back(row);
  row_cells_.push_back(static_cast<std::uint32_t>(&cell - cells_.data()));
  return moved;
}

/// The last remainder up to `from` that still has memory, or 0 if there is none.
std::size_t Walk::find_rest(std::size_t axis, std::size_t from) {
  std::vector<std::size_t>& last = last_full_[axis];
  std::size_t found = from;
  while (last[found] != found) found = last[found];
  while (last[from] != found) from = std::exchange(last[from], found);
  return found;
}

/// Adds the last row to the remainders.
void Walk::add_rest() {
  const SelfRow& row = result_.rows.back();
  rests_.push_back(result_.rows.size() - 1);
  const std::size_t rest = rests_.size() - 1;
  last_full_[0].push_back(row.size != 0 ? rest : rest - 1);
  last_full_[1].push_back(row.count != 0 ? rest : rest - 1);
}

void Walk::even_out(const Node& node, std::size_t axis, std::uint64_t whole, std::uint64_t& rest) {
  rest = whole;
  for (std::size_t i = node.begin + 1; i < node.end; ++i) {
    std::uint64_t& value = cells_[i].values[axis];
    if (value > rest) {
      shortages_.push_back({.cell = static_cast<std::uint32_t>(i), .axis = axis, .amount = value - rest});
      value = rest;
    }
    rest -= value;
  }
}

void Walk::emit(const Node& node, const Values& rest) {
  SelfRow row;
  const std::uint64_t place = cells_[node.begin].place;
  if (place >= first_place) row.frame = tables_->preorder.row[place - first_place];
  row.is_rest = node.has_callees;
  for (std::size_t i = node.begin; i < node.end; ++i) {
    const bool is_total = cells_[i].type == total;
    const Values& values = is_total ? rest : cells_[i].values;
    if (values[0] == 0 && values[1] == 0) continue;
    row.type = is_total ? rest_type : cells_[i].type - 1;
    row.size = values[0];
    row.count = values[1];
    result_.rows.push_back(row);
    row_cells_.push_back(is_total ? no_cell : static_cast<std::uint32_t>(i));
    if (is_total) add_rest();
  }
}

/// Gives reduced types the memory that other distributions of the remainders leave for them.
void Walk::resolve_shortages() {
  std::vector<TypedStack> stacks = list_stacks();
  std::vector<std::uint32_t> types;
  for (const Cell& cell : cells_) types.push_back(cell.type);
  place_rows(stacks);
  result_.moved_bytes = resolve(shortages_, stacks, types);
  take_shares(stacks);
}

/// The stacks that have cells, in the order of the walk.
std::vector<TypedStack> Walk::list_stacks() const {
  std::vector<TypedStack> stacks;
  std::vector<std::uint32_t> open;
  for (std::uint32_t cell = 0; cell < cells_.size(); ++cell) {
    const std::uint64_t place = cells_[cell].place;
    const auto next = static_cast<std::uint32_t>(stacks.size());
    if (cell == 0 || place != cells_[cell - 1].place) {
      for (; !open.empty() && !is_below(place, cells_[stacks[open.back()].first_cell].place); open.pop_back())
        stacks[open.back()].last = next - 1;
      open.push_back(next);
      stacks.push_back({.first_cell = cell, .end_cell = cell, .last = next, .shares = {}});
    }
    stacks.back().end_cell = cell + 1;
  }
  for (const std::uint32_t stack : open) stacks[stack].last = static_cast<std::uint32_t>(stacks.size()) - 1;
  return stacks;
}

/// Adds the rows to the shares of their stacks.
void Walk::place_rows(std::vector<TypedStack>& stacks) const {
  std::vector<std::size_t> order(result_.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [this](std::size_t row) { return std::pair(row_cells_[row], row); });
  const auto place_of = [this](const TypedStack& stack) { return cells_[stack.first_cell].place; };
  for (const std::size_t i : order) {
    const SelfRow& row = result_.rows[i];
    const std::uint64_t place =
        row.frame == format::no_row ? place_of_all : first_place + tables_->preorder.place[row.frame];
    std::vector<TypeShare>& shares = std::ranges::lower_bound(stacks, place, {}, place_of)->shares;
    if (shares.empty() || shares.back().cell != row_cells_[i])
      shares.push_back({.cell = row_cells_[i], .values = {}});
    shares.back().values[0] += row.size;
    shares.back().values[1] += row.count;
  }
}

/// Replaces the rows with the shares of the stacks.
void Walk::take_shares(const std::vector<TypedStack>& stacks) {
  result_.rows.clear();
  for (std::uint32_t i = 0; i < stacks.size(); ++i) {
    SelfRow row{.is_rest = stacks[i].last != i};
    const std::uint64_t place = cells_[stacks[i].first_cell].place;
    if (place >= first_place) row.frame = tables_->preorder.row[place - first_place];
    for (const TypeShare& share : stacks[i].shares) {
      row.type = share.cell == no_cell ? rest_type : cells_[share.cell].type - 1;
      row.size = share.values[0];
      row.count = share.values[1];
      result_.rows.push_back(row);
    }
  }
}

void Walk::subtract(std::uint64_t& from, std::uint64_t amount) {
  if (amount > from) ++result_.overdrawn;
  from -= std::min(from, amount);
}

}  // namespace

SelfValuesMaker::SelfValuesMaker(const format::Process& process) : tops_(process.types.count(), none) {
  tables_.forest = make_forest(process.frames);
  tables_.preorder = make_preorder(tables_.forest);
  tables_.types = make_index(process.types.id);
}

SelfValues SelfValuesMaker::make(const format::Entries& entries) {
  return Walk(entries, tables_, tops_).run();
}

}  // namespace heapcheck::conversion::chrome::legacy
