#include "analyze/stacks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <queue>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "analyze/dominators.hpp"
#include "analyze/totals.hpp"
#include "formats/core/checked.hpp"

namespace heapcheck::analyze {
namespace {

Amount amount_of(const AllocationProfile& profile, std::size_t row) {
  return {profile.size[row], has_counts(profile) ? profile.count[row] : 0};
}

void add(NodeTotals& row, const Amount& amount) {
  row.size = core::saturating_add(row.size, amount.size);
  row.count = core::saturating_add(row.count, amount.count);
}

void add_allocated(NodeTotals& row, const Amount& amount) {
  row.allocated_size = core::saturating_add(row.allocated_size, amount.size);
  row.allocated_count = core::saturating_add(row.allocated_count, amount.count);
}

/// Counts each row of the profile in the row for its string. `texts` contains the index of that string.
std::vector<NodeTotals> count_texts(const AllocationProfile& profile,
                                    const std::vector<std::uint32_t>& texts) {
  // Even a string that names no row has a row here.
  std::vector<NodeTotals> rows(profile.texts.count());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].name = profile.texts[i];
  for (std::size_t i = 0; i < texts.size(); ++i) add(rows[texts[i]], amount_of(profile, i));
  for (NodeTotals& row : rows) row.retained = row.size;
  return rows;
}

std::vector<NodeTotals> count_frames(const AllocationProfile& profile) {
  const PlaceAmounts amounts = add_up_places(profile);
  const Preorder order = find_preorder(make_call_tree(profile));
  std::vector<NodeTotals> rows(profile.frames.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].name = profile.texts[profile.frames[i].name];
    rows[i].place = make_place(profile, static_cast<std::uint32_t>(i));
  }
  std::vector<std::uint32_t> end(rows.size());  // where the calls below a frame's last counted call end
  for (std::uint32_t i = 0; i < order.nodes.size(); ++i) {
    const std::uint32_t place = order.nodes[i];
    NodeTotals& row = rows[profile.frame[place]];
    add(row, amounts.self[place]);
    if (has_allocated(profile)) add_allocated(row, amounts.allocated[place]);
    if (i < end[profile.frame[place]]) continue;
    end[profile.frame[place]] = order.end[i];
    row.retained = core::saturating_add(row.retained, amounts.cumulative[place].size);
  }
  return rows;
}

/// A call that a row covers. In an inverted tree, `allocated` is the end of the stack that allocated the
/// memory.
struct Call {
  std::uint32_t frame;  ///< an index into frames
  std::uint32_t place;
  std::uint32_t allocated;
};

/// A row that may become part of the tree, with its calls.
struct Candidate {
  std::uint32_t above = Dominators::none;  ///< a row of the tree
  StackRow row = {};
  std::vector<Call> calls = {};
};

/// An inverted tree needs the whole stack of each place, so it can take time quadratic in the size of the
/// profile. Chrome and V8 record at most 128 frames of a stack, so this many calls are enough for 1 million
/// places.
constexpr std::uint64_t most_calls = std::uint64_t{1} << 27;

class CallTreeMaker {
 public:
  CallTreeMaker(const AllocationProfile& profile, StackTree tree)
      : profile_(&profile), tree_(tree), amounts_(add_up_places(profile)), calls_(make_call_tree(profile)) {}

  Result<std::vector<StackRow>> make(std::uint64_t limit, const Limits& limits) {
    add_root();
    while (!waiting_.empty() && (limit == 0 || above_.size() < limit)) {
      add_row(pop());
      if (above_.size() > limits.max_memory / row_bytes || call_count_ > most_calls) return refuse();
    }
    return sort_rows();
  }

  /// Counts all rows, but stops after that many calls.
  RowCount count(std::uint64_t most_counted) {
    add_root();
    std::vector<Candidate> waiting = std::move(candidates_);
    RowCount count;
    for (std::uint64_t calls = 0; !waiting.empty(); ++count.rows) {
      std::vector<Call> next = find_next(std::exchange(waiting.back(), {}));
      waiting.pop_back();
      calls += next.size();
      if (calls > most_counted) return {.rows = count.rows, .is_complete = false};
      std::ranges::sort(next, {}, &Call::frame);
      for (const auto group : split_by_frame(next))
        waiting.push_back({.above = 0, .calls = {group.begin(), group.end()}});
    }
    return count;
  }

 private:
  static constexpr std::uint64_t row_bytes = 2 * sizeof(StackRow);

  struct IsSmaller {
    /// Among equal rows, those that were found earlier come first.
    bool operator()(const std::pair<std::uint64_t, std::uint64_t>& a,
                    const std::pair<std::uint64_t, std::uint64_t>& b) const {
      return a.first != b.first ? a.first < b.first : a.second > b.second;
    }
  };

  std::unexpected<Error> refuse() const {
    return std::unexpected(
        Error{ErrorKind::limit,
              fmt::format(
                  "the tree has more than {} rows, expected at most that many; --limit N shows the N largest",
                  above_.size() - 1)});
  }

  /// The root includes all memory. Its own memory is the memory without a stack.
  void add_root() {
    const Amount& self = amounts_.self.front();
    Candidate root{.row = {.depth = 0,
                           .frame = profile_->frame.front(),
                           .count = self.count,
                           .size = self.size,
                           .cumulative = amounts_.cumulative.front().size,
                           .allocated_count = allocated_at(0).count,
                           .allocated_size = allocated_at(0).size},
                   .calls = {{profile_->frame.front(), 0, 0}}};
    push(std::move(root));
  }

  void push(Candidate candidate) {
    waiting_.emplace(candidate.row.cumulative, candidates_.size());
    candidates_.push_back(std::move(candidate));
  }

  Candidate pop() {
    const auto index = static_cast<std::size_t>(waiting_.top().second);
    waiting_.pop();
    return std::move(candidates_[index]);
  }

  void add_row(const Candidate& candidate) {
    const auto index = static_cast<std::uint32_t>(above_.size());
    above_.push_back(candidate.above);
    rows_.push_back(candidate.row);
    add_candidates(index, find_next(candidate));
  }

  /// The calls that the rows below a row cover.
  [[nodiscard]] std::vector<Call> find_next(const Candidate& candidate) const {
    if (tree_ == StackTree::from_root) return find_callees(candidate.calls);
    return candidate.above == Dominators::none ? find_allocating() : find_callers(candidate.calls);
  }

  [[nodiscard]] std::vector<Call> find_callees(const std::vector<Call>& calls) const {
    std::vector<Call> found;
    for (const Call& call : calls) {
      for (const std::uint32_t place : calls_.of(call.place)) {
        if (amounts_.is_used(place)) found.push_back({profile_->frame[place], place, place});
      }
    }
    return found;
  }

  [[nodiscard]] std::vector<Call> find_allocating() const {
    std::vector<Call> found;
    for (std::uint32_t place = 1; place < profile_->caller.size(); ++place) {
      const bool has_memory = !amounts_.self[place].is_zero() || !allocated_at(place).is_zero();
      if (has_memory) found.push_back({profile_->frame[place], place, place});
    }
    return found;
  }

  [[nodiscard]] std::vector<Call> find_callers(const std::vector<Call>& calls) const {
    std::vector<Call> found;
    for (const Call& call : calls) {
      const std::uint32_t caller = profile_->caller[call.place];
      if (caller != 0) found.push_back({profile_->frame[caller], caller, call.allocated});
    }
    return found;
  }

  /// How much a place itself allocated in total; 0 if that is unknown.
  [[nodiscard]] Amount allocated_at(std::uint32_t place) const {
    return amounts_.allocated.empty() ? Amount() : amounts_.allocated[place];
  }

  /// Calls that are sorted by frame, divided by frame.
  static std::vector<std::span<const Call>> split_by_frame(std::span<const Call> calls) {
    std::vector<std::span<const Call>> groups;
    for (auto first = calls.begin(); first != calls.end();) {
      const auto last = std::ranges::upper_bound(first, calls.end(), first->frame, {}, &Call::frame);
      groups.emplace_back(first, last);
      first = last;
    }
    return groups;
  }

  /// Adds a candidate for each frame, in the order of names and places.
  void add_candidates(std::uint32_t above, std::vector<Call> calls) {
    call_count_ += calls.size();
    if (!std::ranges::is_sorted(calls, {}, &Call::frame)) std::ranges::sort(calls, {}, &Call::frame);
    std::vector<std::span<const Call>> groups = split_by_frame(calls);
    std::ranges::sort(groups, [this](const auto& a, const auto& b) {
      return comes_before(*profile_, a[0].frame, b[0].frame);
    });
    for (const auto& group : groups)
      push({.above = above, .row = make_row(above, group), .calls = {group.begin(), group.end()}});
  }

  [[nodiscard]] StackRow make_row(std::uint32_t above, std::span<const Call> calls) const {
    Amount self;
    Amount allocated;
    std::uint64_t cumulative = 0;
    for (const Call& call : calls) {
      const bool is_inverted = tree_ == StackTree::inverted;
      const bool is_end = !is_inverted || profile_->caller[call.place] == 0;
      if (is_end) self += amounts_.self[call.allocated];
      if (is_end) allocated += allocated_at(call.allocated);
      const auto& held = is_inverted ? amounts_.self : amounts_.cumulative;
      cumulative = core::saturating_add(cumulative, held[call.allocated].size);
    }
    return {.depth = rows_[above].depth + 1,
            .frame = calls.front().frame,
            .count = self.count,
            .size = self.size,
            .cumulative = cumulative,
            .allocated_count = allocated.count,
            .allocated_size = allocated.size};
  }

  /// Sorts the rows, which were added in order of size.
  [[nodiscard]] std::vector<StackRow> sort_rows() const {
    Dominators tree{.dominator = above_, .order = std::vector<std::uint32_t>(above_.size())};
    std::iota(tree.order.begin(), tree.order.end(), 0U);
    std::vector<StackRow> sorted;
    sorted.reserve(rows_.size());
    for (const std::uint32_t row : find_preorder(tree).nodes) sorted.push_back(rows_[row]);
    return sorted;
  }

  const AllocationProfile* profile_;
  StackTree tree_;
  PlaceAmounts amounts_;
  DominatedNodes calls_;
  std::vector<Candidate> candidates_;
  std::priority_queue<std::pair<std::uint64_t, std::uint64_t>,
                      std::vector<std::pair<std::uint64_t, std::uint64_t>>, IsSmaller>
      waiting_;  // candidates by cumulative size
  std::vector<std::uint32_t> above_;
  std::vector<StackRow> rows_;
  std::uint64_t call_count_ = 0;
};

}  // namespace

Amount& Amount::operator+=(const Amount& more) {
  size = core::saturating_add(size, more.size);
  count = core::saturating_add(count, more.count);
  return *this;
}

heapcheck::Place make_place(const AllocationProfile& profile, std::uint32_t frame) {
  const StackFrame& at = profile.frames[frame];
  return {.file = std::string(script_of(profile, at)), .line = at.line, .column = at.column};
}

bool comes_before(const AllocationProfile& profile, std::uint32_t a, std::uint32_t b) {
  const auto key_of = [&profile](const StackFrame& frame) {
    return std::tuple(profile.texts[frame.name], script_of(profile, frame), frame.line, frame.column);
  };
  return key_of(profile.frames[a]) < key_of(profile.frames[b]);
}

std::vector<std::uint32_t> find_stack(const AllocationProfile& profile, std::uint32_t place) {
  std::vector<std::uint32_t> places = {place};
  while (profile.caller[places.back()] != 0) places.push_back(profile.caller[places.back()]);
  return places;
}

PlaceAmounts add_up_places(const AllocationProfile& profile) {
  const std::size_t count = profile.caller.size();
  PlaceAmounts amounts{.self = std::vector<Amount>(count)};
  for (std::size_t i = 0; i < profile.size.size(); ++i)
    amounts.self[profile.place[i]] += amount_of(profile, i);
  if (has_allocated(profile)) {
    for (std::size_t i = 0; i < count; ++i)
      amounts.allocated.push_back({profile.allocated_size[i], profile.allocated_count[i]});
  }
  amounts.cumulative = amounts.self;
  std::vector<bool> is_used(amounts.allocated.size());
  for (std::size_t i = 0; i < is_used.size(); ++i) is_used[i] = !amounts.allocated[i].is_zero();
  for (std::size_t i = count; i-- > 1;) {
    amounts.cumulative[profile.caller[i]] += amounts.cumulative[i];
    if (!is_used.empty() && is_used[i]) is_used[profile.caller[i]] = true;
  }
  amounts.has_allocated = std::move(is_used);
  return amounts;
}

Dominators make_call_tree(const AllocationProfile& profile) {
  Dominators tree{.dominator = profile.caller, .order = std::vector<std::uint32_t>(profile.caller.size())};
  tree.dominator.front() = Dominators::none;
  std::iota(tree.order.begin(), tree.order.end(), 0U);
  return tree;
}

std::vector<NodeTotals> count_allocations(const AllocationProfile& profile, AllocationsOf of, TopBy by) {
  const std::vector<std::uint32_t>& texts = of == AllocationsOf::types ? profile.type : profile.allocator;
  std::vector<NodeTotals> rows =
      of == AllocationsOf::frames ? count_frames(profile) : count_texts(profile, texts);
  std::erase_if(rows, [](const NodeTotals& row) {
    return row.count == 0 && row.retained == 0 && row.allocated_count == 0 && row.allocated_size == 0;
  });
  std::ranges::sort(rows, {}, [](const NodeTotals& row) { return std::tie(row.name, row.place); });
  return sort_largest_first(std::move(rows), by);
}

NodeTotals count_all(const AllocationProfile& profile) {
  NodeTotals total;
  for (std::size_t i = 0; i < profile.size.size(); ++i) add(total, amount_of(profile, i));
  total.retained = total.size;
  return total;
}

Result<std::vector<StackRow>> find_largest_calls(const AllocationProfile& profile, StackTree tree,
                                                 std::uint64_t limit, const Limits& limits) {
  return CallTreeMaker(profile, tree).make(limit, limits);
}

RowCount count_calls(const AllocationProfile& profile, StackTree tree) {
  // Counting this many takes about as long as the rest of a question.
  constexpr std::uint64_t most_counted = std::uint64_t{1} << 24;
  return CallTreeMaker(profile, tree).count(most_counted);
}

}  // namespace heapcheck::analyze
