#include "analyze/equal_strings.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "formats/core/checked.hpp"
#include "formats/core/keyed_hash.hpp"
#include "formats/core/stop.hpp"

namespace heapcheck::analyze {
namespace {

/// Equal strings that have been found among those with the same hash.
struct Found {
  std::array<std::uint64_t, 2> hashes{};  ///< of their text
  StringIdentity identity;
  std::vector<std::uint32_t> nodes;
};

std::uint64_t hash_all(const std::array<std::uint64_t, 2>& hashes, const StringIdentity& identity) {
  std::uint64_t hash = core::KeyedHash::combine(hashes[0], hashes[1]);
  for (const auto& number : {identity.length, identity.hash})
    hash = core::KeyedHash::combine(hash, static_cast<std::uint64_t>(number.value_or(0)));
  return core::KeyedHash::combine(hash, identity.size.value_or(0));
}

}  // namespace

EqualStrings::EqualStrings(const Graph& graph) : graph_(graph), contents_(graph) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> hashes;
  hashes.reserve(contents_.nodes().size());
  for (const std::uint32_t node : contents_.nodes())
    hashes.emplace_back(hash_all(contents_.hashes_of(node), contents_.identity_of(node)), node);
  core::check_stop();
  std::ranges::sort(hashes);
  core::check_stop();
  std::vector<std::uint32_t> same_hash;
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    same_hash.push_back(hashes[i].second);
    if (i + 1 != hashes.size() && hashes[i + 1].first == hashes[i].first) continue;
    add_groups(same_hash);
    same_hash.clear();
  }
  std::ranges::sort(groups_, {}, [this](const StringGroup& group) { return nodes_[group.begin]; });
}

void EqualStrings::add_groups(std::span<const std::uint32_t> same_hash) {
  std::vector<Found> found;
  for (const std::uint32_t node : same_hash) {
    const StringIdentity identity = contents_.identity_of(node);
    const auto& hashes = contents_.hashes_of(node);
    const auto equal = std::ranges::find_if(
        found, [&](const Found& other) { return other.hashes == hashes && other.identity == identity; });
    if (equal != found.end())
      equal->nodes.push_back(node);
    else
      found.push_back({.hashes = hashes, .identity = identity, .nodes = {node}});
  }
  for (const Found& equal : found) {
    StringGroup& group = groups_.emplace_back(
        StringGroup{.begin = nodes_.size(), .count = equal.nodes.size(), .is_cut = equal.identity.is_cut});
    for (const std::uint32_t node : equal.nodes)
      group.size = core::saturating_add(group.size, graph_.node_size[node]);
    nodes_.insert(nodes_.end(), equal.nodes.begin(), equal.nodes.end());
  }
}

std::vector<StringGroup> EqualStrings::find_duplicates() const {
  std::vector<StringGroup> found;
  for (const StringGroup& group : groups_) {
    if (group.count > 1 && group.size != 0) found.push_back(group);
  }
  std::ranges::sort(found, [this](const StringGroup& a, const StringGroup& b) {
    return std::tuple(b.wasted(), b.count, nodes_[a.begin]) <
           std::tuple(a.wasted(), a.count, nodes_[b.begin]);
  });
  return found;
}

std::string EqualStrings::text_of(const StringGroup& group) const {
  return contents_.text_of(nodes_[group.begin]);
}

std::optional<std::string_view> EqualStrings::find_text(const StringGroup& group) const {
  return contents_.find_text(nodes_[group.begin]);
}

std::span<const std::uint32_t> EqualStrings::nodes_of(const StringGroup& group) const {
  return std::span(nodes_).subspan(group.begin, static_cast<std::size_t>(group.count));
}

}  // namespace heapcheck::analyze
