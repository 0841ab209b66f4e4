#include "recover/v8/heapsnapshot/split_evidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "formats/core/keyed_hash.hpp"
#include "recover/v8/heapsnapshot/type_pairs.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {
namespace {

/// A split is possible if it weighs at most this much less than the best one.
constexpr std::int64_t split_tolerance = 40 * 8;
/// The largest total weight of the pieces of evidence of one kind.
constexpr std::int64_t most_of_kind = 10 * 8;
/// The weight of ids that skip as many numbers as rows were lost.
constexpr std::int64_t step_bonus = 10 * 8;
/// More nodes in doubt are not worth the memory.
constexpr std::uint64_t most_rows = std::uint64_t{1} << 20;
/// The number of edges from each node, and of edges to it, that are taken into account.
constexpr std::size_t most_edges = 8;
/// How many rows on each side of the possible places are in doubt as well, because the first and the last
/// damaged row may look like rows that are right.
constexpr std::uint64_t row_margin = 2;
/// Fewer names, or names in fewer rows, do not show that the writer numbers them as V8 does.
constexpr std::uint64_t fewest_names = 64;
constexpr std::uint64_t most_rows_per_name = 64;

/// The names that begin with a digit. Elements of internal arrays have such names, which say nothing about
/// what the elements are.
RowSet find_numbers(const format::StringTable& strings) {
  RowSet numbers(static_cast<std::size_t>(strings.count()));
  for (std::uint64_t i = 0; i < strings.count(); ++i) {
    const std::string_view text = strings[i];
    numbers[static_cast<std::size_t>(i)] = !text.empty() && text[0] >= '0' && text[0] <= '9';
  }
  return numbers;
}

/// The kind of a piece of evidence. There is one kind for the edges to nodes of each type, and one for the
/// edges from them. Pieces without a kind do not depend on each other.
enum : std::uint64_t { no_kind = 0, id_kind = 1, first_kind = 2 };

/// The rows in question, and what is known about each at both places. Row i is the node i, counted from the
/// start, or the node i + `lost`, counted from the end.
class Evidence {
 public:
  Evidence(const Snapshot& snapshot, const GraphColumns& columns, const GraphAlignment& graph,
           const Split& widest, std::uint64_t lost)
      : columns_(columns),
        front_(&graph.from_front),
        back_(&graph.from_back),
        node_types_(snapshot.schema.find_type_names(Section::nodes, "type")->size()),
        string_count_(snapshot.strings.is_whole() ? snapshot.strings.table.count() : no_count),
        lost_(lost),
        begin_(widest.front),
        end_(widest.back - lost) {
    const auto& edge_types = *snapshot.schema.find_type_names(Section::edges, "type");
    for (const std::string& type : edge_types) is_named_.push_back(type != "element" && type != "hidden");
    is_number_ = find_numbers(snapshot.strings.table);
    find_edges(widest);
    find_targets();
    learn_targets();
    learn_owned(widest);
    learn_steps();
    find_names();
  }

  [[nodiscard]] std::uint64_t begin() const { return begin_; }
  [[nodiscard]] std::uint64_t end() const { return end_; }

  /// Calls `use` with the kind and the weight of each piece of evidence that the row is counted from the
  /// start rather than from the end.
  template <class Use>
  void for_each_piece(std::uint64_t row, Use&& use) const {
    const auto at = static_cast<std::size_t>(row - begin_);
    look_at_row(*front_, row, front_edges_[at], 1, use);
    look_at_row(*back_, row + lost_, back_edges_[at], -1, use);
    use(no_kind, front_names_[at] - back_names_[at]);
    if (row != 0 && !is_step(*front_, row)) use(id_kind, irregular_step_);
    if (row + lost_ + 1 < back_->nodes.end() && !is_step(*back_, row + lost_ + 1))
      use(id_kind, -irregular_step_);
  }

  /// The weight of the ids on both sides of a split.
  [[nodiscard]] std::int64_t weigh_ids(std::uint64_t front) const {
    if (front == 0 || front + lost_ >= back_->nodes.end()) return 0;
    return id(*back_, front + lost_) == id(*front_, front - 1) + 2 * (lost_ + 1) ? step_bonus : 0;
  }

  [[nodiscard]] Split make_split(std::uint64_t front, std::uint64_t last, const Split& widest) const {
    Split split = widest;
    if (front - begin_ > row_margin) split.front = front - row_margin;
    if (end_ - last > row_margin) split.back = last + row_margin + lost_;
    split.front_edge = front_edges_[static_cast<std::size_t>(split.front - begin_)];
    split.back_edge = back_edges_[static_cast<std::size_t>(split.back - lost_ - begin_)];
    return split;
  }

 private:
  static constexpr auto no_count = static_cast<std::uint64_t>(-1);
  static constexpr std::uint32_t no_key = static_cast<std::uint32_t>(-1);

  [[nodiscard]] std::uint64_t id(const GraphRows& rows, std::uint64_t node) const {
    return rows.nodes.get(node, columns_.node_id);
  }
  [[nodiscard]] std::uint64_t count(const GraphRows& rows, std::uint64_t node) const {
    return rows.nodes.get(node, columns_.edge_count);
  }
  [[nodiscard]] std::size_t type(const GraphRows& rows, std::uint64_t node) const {
    return limit_type(rows.nodes.get(node, columns_.node_type));
  }
  [[nodiscard]] std::size_t edge_type(std::uint64_t edge) const {
    return limit_type(front_->edges.get(edge, columns_.edge_type));
  }
  [[nodiscard]] bool is_step(const GraphRows& rows, std::uint64_t node) const {
    return id(rows, node) == id(rows, node - 1) + 2;
  }
  [[nodiscard]] std::uint64_t target(std::uint64_t edge) const {
    return front_->edges.get(edge, columns_.to_node) / columns_.node_columns;
  }

  /// Finds the first edge of each row at both places.
  void find_edges(const Split& widest) {
    const auto size = static_cast<std::size_t>(end_ - begin_);
    front_edges_.resize(size + 1, widest.front_edge);
    back_edges_.resize(size + 1, widest.back_edge);
    for (std::size_t i = 0; i < size; ++i)
      front_edges_[i + 1] = front_edges_[i] + std::min(count(*front_, begin_ + i), front_->edges.end());
    for (std::size_t i = size; i-- > 0;)
      back_edges_[i] = back_edges_[i + 1] - std::min(count(*back_, begin_ + lost_ + i), back_edges_[i + 1]);
  }

  /// A number for the type and name of an edge, or no value if it has no name.
  [[nodiscard]] std::uint64_t name_of(std::uint64_t edge) const {
    const std::uint64_t of_type = front_->edges.get(edge, columns_.edge_type);
    if (of_type >= is_named_.size() || !is_named_[static_cast<std::size_t>(of_type)]) return no_count;
    const std::uint64_t name = front_->edges.get(edge, columns_.edge_name);
    if (name < is_number_.size() && is_number_[static_cast<std::size_t>(name)]) return no_count;
    return name * type_limit + limit_type(of_type);
  }

  /// Finds the edges that lead to the places in question.
  void find_targets() {
    incoming_.resize(static_cast<std::size_t>(end_ + lost_ - begin_));
    for (auto& keys : incoming_) keys.fill(no_key);
    for (std::uint64_t edge = front_->edges.begin(); edge < front_->edges.end(); ++edge) {
      const std::uint64_t node = target(edge);
      if (node < begin_ || node >= end_ + lost_) continue;
      const std::uint64_t name = name_of(edge);
      if (name == no_count) continue;
      const auto key = keys_.try_emplace(name, static_cast<std::uint32_t>(keys_.size())).first->second;
      auto& keys = incoming_[static_cast<std::size_t>(node - begin_)];
      const auto free = std::ranges::find(keys, no_key);
      if (free != keys.end()) *free = key;
    }
  }

  /// Learns to which types of nodes the edges with each name lead.
  void learn_targets() {
    for (std::uint64_t edge = front_->edges.begin(); edge < front_->edges.end(); ++edge) {
      const std::uint64_t node = target(edge);
      const bool is_before = node < begin_;
      if (!is_before && (node < end_ + lost_ || node >= back_->nodes.end())) continue;
      const std::size_t of_node = type(is_before ? *front_ : *back_, node);
      targets_.add_effect(of_node);
      const auto key = keys_.find(name_of(edge));
      if (key != keys_.end()) targets_.add_pair(key->second, of_node);
    }
  }

  /// Learns which types of edges the nodes of each type have.
  void learn_owned(const Split& widest) {
    learn_owned(*front_, 0, begin_, 0);
    learn_owned(*back_, end_ + lost_, back_->nodes.end(), widest.back_edge);
  }
  void learn_owned(const GraphRows& rows, std::uint64_t first, std::uint64_t end, std::uint64_t edge) {
    for (std::uint64_t node = first; node < end; ++node) {
      for (std::uint64_t left = count(rows, node); left != 0 && edge < rows.edges.end(); --left, ++edge)
        owned_.add(type(rows, node), edge_type(edge));
    }
  }

  /// Learns how often an id does not follow on from the one before it.
  void learn_steps() {
    std::uint64_t irregular = 1;
    for (std::uint64_t node = 1; node < begin_; ++node) irregular += is_step(*front_, node) ? 0U : 1U;
    const double share = static_cast<double>(irregular) / static_cast<double>(begin_ + 2);
    irregular_step_ = std::clamp<std::int64_t>(std::llround(log_unit * std::log(share)), -most_of_piece, 0);
  }

  /// V8 numbers names in the order of their first use, so the next new name is always 1 more than the largest
  /// one so far.
  void find_names() {
    const auto size = static_cast<std::size_t>(end_ - begin_);
    front_names_.resize(size);
    back_names_.resize(size);
    std::uint64_t largest = 0;
    std::uint64_t followed = 0;  // the rows before the first one that contradicts the order
    for (std::uint64_t node = 0; node < end_; ++node) {
      const std::uint64_t name = front_->nodes.get(node, columns_.node_name);
      const std::int64_t weight = name > largest ? (name == largest + 1 ? most_of_piece : -most_of_piece) : 0;
      if (weight < 0 && node < begin_) return;  // another writer, or more damage
      if (weight < 0 && followed == 0) followed = node;
      if (weight > 0) ++largest;
      if (node >= begin_)
        front_names_[static_cast<std::size_t>(node - begin_)] = static_cast<std::int8_t>(weight);
    }
    const std::uint64_t rows = followed == 0 ? end_ : followed;
    if (largest < std::max(fewest_names, rows / most_rows_per_name)) {
      std::ranges::fill(front_names_, std::int8_t{0});
    } else {
      find_back_names();
    }
  }

  /// Finds the rows counted from the end that use a name for the first time. All greater names come later.
  void find_back_names() {
    const std::uint64_t first = begin_ + lost_;
    std::vector<std::uint64_t> uses(static_cast<std::size_t>(back_->nodes.count() + 2), no_count);
    for (std::uint64_t node = back_->nodes.end(); node-- > first;) {
      const std::uint64_t name = back_->nodes.get(node, columns_.node_name);
      if (name < uses.size()) uses[static_cast<std::size_t>(name)] = node;
    }
    std::uint64_t next = no_count;
    for (std::size_t name = uses.size() - 1; name-- > 0;) {
      if (uses[name] >= next) continue;
      next = uses[name];
      if (uses[name + 1] != no_count && next < end_ + lost_)
        back_names_[static_cast<std::size_t>(next - first)] = most_of_piece;
    }
  }

  template <class Use>
  void look_at_row(const GraphRows& rows, std::uint64_t node, std::uint64_t first, int sign,
                   Use&& use) const {
    const std::uint64_t of_node = rows.nodes.get(node, columns_.node_type);
    if (of_node > node_types_ || rows.nodes.get(node, columns_.node_name) >= string_count_)
      return use(no_kind, -sign * most_of_piece);
    const std::size_t effect = limit_type(of_node);
    for (const std::uint32_t key : incoming_[static_cast<std::size_t>(node - begin_)]) {
      if (key == no_key) break;
      use(first_kind + 2 * effect, sign * targets_.weigh(key, effect));
    }
    const std::uint64_t own = count(rows, node);
    if (own > rows.edges.end() || first > rows.edges.end() - own) return use(no_kind, -sign * most_of_piece);
    for (std::uint64_t edge = first; edge < first + std::min<std::uint64_t>(own, most_edges); ++edge) {
      const std::size_t of_edge = edge_type(edge);
      use(first_kind + 1 + 2 * effect, sign * owned_.weigh(effect, of_edge));
    }
  }

  GraphColumns columns_;
  const GraphRows* front_;
  const GraphRows* back_;
  std::uint64_t node_types_;
  std::uint64_t string_count_;
  std::uint64_t lost_;
  std::uint64_t begin_;
  std::uint64_t end_;
  std::vector<bool> is_named_;  // by type of edge
  RowSet is_number_;            // by name
  std::vector<std::uint64_t> front_edges_;
  std::vector<std::uint64_t> back_edges_;
  std::vector<std::int8_t> front_names_;
  std::vector<std::int8_t> back_names_;
  std::unordered_map<std::uint64_t, std::uint32_t, core::KeyedHash> keys_;  // by type and name of edge
  std::vector<std::array<std::uint32_t, most_edges>> incoming_;
  TypePairs targets_;
  TypePairs owned_;
  std::int64_t irregular_step_ = 0;
};

/// Adds up weights, capping the total weight of the pieces of each kind.
class LimitedSum {
 public:
  void add(std::uint64_t kind, std::int64_t weight) {
    if (kind == no_kind) {
      sum_ += weight;
      return;
    }
    std::int64_t& of_kind = kinds_[static_cast<std::size_t>(kind)];
    sum_ -= std::clamp(of_kind, -most_of_kind, most_of_kind);
    of_kind += weight;
    sum_ += std::clamp(of_kind, -most_of_kind, most_of_kind);
  }
  [[nodiscard]] std::int64_t sum() const { return sum_; }

 private:
  std::array<std::int64_t, first_kind + 2 * type_limit> kinds_{};
  std::int64_t sum_ = 0;
};

/// The split with the largest weight if pieces of evidence are independent.
std::uint64_t find_heaviest(const Evidence& evidence) {
  std::uint64_t best = evidence.begin();
  std::int64_t most = evidence.weigh_ids(best);
  std::int64_t sum = 0;
  for (std::uint64_t row = evidence.begin(); row < evidence.end(); ++row) {
    evidence.for_each_piece(row, [&sum](std::uint64_t, std::int64_t weight) { sum += weight; });
    const std::int64_t weight = sum + evidence.weigh_ids(row + 1);
    if (weight <= most) continue;
    most = weight;
    best = row + 1;
  }
  return best;
}

/// Calls `use` with each split and how much more it weighs than the split `base`.
template <class Use>
void compare_splits(const Evidence& evidence, std::uint64_t base, Use&& use) {
  const std::int64_t of_base = evidence.weigh_ids(base);
  LimitedSum before;
  for (std::uint64_t row = base; row-- > evidence.begin();) {
    evidence.for_each_piece(row, [&](std::uint64_t kind, std::int64_t weight) { before.add(kind, -weight); });
    use(row, before.sum() + evidence.weigh_ids(row) - of_base);
  }
  LimitedSum after;
  for (std::uint64_t row = base; row < evidence.end(); ++row) {
    evidence.for_each_piece(row, [&](std::uint64_t kind, std::int64_t weight) { after.add(kind, weight); });
    use(row + 1, after.sum() + evidence.weigh_ids(row + 1) - of_base);
  }
}

/// The split that no other outweighs, or one of the last ones that were tried.
std::uint64_t find_best(const Evidence& evidence) {
  constexpr int most_rounds = 4;
  std::uint64_t best = find_heaviest(evidence);
  for (int round = 0; round < most_rounds; ++round) {
    const std::uint64_t base = best;
    std::int64_t most = 0;
    compare_splits(evidence, base, [&](std::uint64_t split, std::int64_t weight) {
      if (weight <= most) return;
      most = weight;
      best = split;
    });
    if (best == base) break;
  }
  return best;
}

}  // namespace

Split narrow_split(const Snapshot& snapshot, const GraphColumns& columns, const GraphAlignment& graph,
                   const Split& widest, std::uint64_t lost) {
  if (widest.back < widest.front + lost) return widest;
  const std::uint64_t size = widest.back - lost - widest.front;
  const bool can_read =
      widest.back <= graph.from_back.nodes.end() && widest.back - lost <= graph.from_front.nodes.end();
  if (size <= 2 * row_margin || size + lost > most_rows || !can_read) return widest;
  const Evidence evidence(snapshot, columns, graph, widest, lost);
  const std::uint64_t base = find_best(evidence);
  std::uint64_t first = base;
  std::uint64_t last = base;
  compare_splits(evidence, base, [&](std::uint64_t split, std::int64_t weight) {
    if (weight < -split_tolerance) return;
    first = std::min(first, split);
    last = std::max(last, split);
  });
  return evidence.make_split(first, last, widest);
}

}  // namespace heapcheck::recovery::v8::heapsnapshot
