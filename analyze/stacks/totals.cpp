#include "analyze/stacks/totals.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "analyze/preorder.hpp"
#include "analyze/totals.hpp"
#include "formats/core/checked.hpp"

namespace heapcheck::analyze {
namespace {

Amount amount_of(const AllocationProfile& profile, std::size_t row) {
  return {profile.size[row], profile.count.empty() ? 0 : profile.count[row]};
}

/// A row for each text, whether or not it is the name of one.
std::vector<NodeTotals> make_rows(const AllocationProfile& profile) {
  std::vector<NodeTotals> rows(profile.texts.count());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].name = profile.texts[i];
  return rows;
}

void add(NodeTotals& row, const Amount& amount) {
  row.size = core::saturating_add(row.size, amount.size);
  row.count = core::saturating_add(row.count, amount.count);
}

/// Counts each row of the profile for the text that `texts` has for it.
std::vector<NodeTotals> count_texts(const AllocationProfile& profile,
                                    const std::vector<std::uint32_t>& texts) {
  std::vector<NodeTotals> rows = make_rows(profile);
  for (std::size_t i = 0; i < texts.size(); ++i) add(rows[texts[i]], amount_of(profile, i));
  for (NodeTotals& row : rows) row.retained = row.size;
  return rows;
}

std::vector<NodeTotals> count_frames(const AllocationProfile& profile) {
  const PlaceAmounts amounts = add_up_places(profile);
  const Preorder order = find_preorder(make_call_tree(profile));
  std::vector<NodeTotals> rows = make_rows(profile);
  std::vector<std::uint32_t> end(rows.size());  // of the calls below the last one of the frame that counted
  for (std::uint32_t i = 0; i < order.nodes.size(); ++i) {
    const std::uint32_t place = order.nodes[i];
    NodeTotals& row = rows[profile.frame[place]];
    add(row, amounts.self[place]);
    if (i < end[profile.frame[place]]) continue;
    end[profile.frame[place]] = order.end[i];
    row.retained = core::saturating_add(row.retained, amounts.cumulative[place].size);
  }
  return rows;
}

}  // namespace

Amount& Amount::operator+=(const Amount& more) {
  size = core::saturating_add(size, more.size);
  count = core::saturating_add(count, more.count);
  return *this;
}

PlaceAmounts add_up_places(const AllocationProfile& profile) {
  PlaceAmounts amounts{.self = std::vector<Amount>(profile.caller.size()), .cumulative = {}};
  for (std::size_t i = 0; i < profile.size.size(); ++i)
    amounts.self[profile.place[i]] += amount_of(profile, i);
  amounts.cumulative = amounts.self;
  for (std::size_t i = profile.caller.size(); i-- > 1;)
    amounts.cumulative[profile.caller[i]] += amounts.cumulative[i];
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
  std::erase_if(rows, [](const NodeTotals& row) { return row.count == 0 && row.retained == 0; });
  std::ranges::sort(rows, {}, &NodeTotals::name);
  return sort_largest_first(std::move(rows), by);
}

NodeTotals count_all(const AllocationProfile& profile) {
  NodeTotals total;
  for (std::size_t i = 0; i < profile.size.size(); ++i) add(total, amount_of(profile, i));
  total.retained = total.size;
  return total;
}

}  // namespace heapcheck::analyze
