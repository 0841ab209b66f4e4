#include "analyze/equal_strings.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "formats/core/checked.hpp"

namespace heapcheck::analyze {
namespace {

/// Equal strings that have been found among those with one hash.
struct Found {
  std::uint32_t source = 0;  ///< a string with their text
  std::string text;
  StringIdentity identity;
  std::vector<std::uint32_t> nodes;
};

}  // namespace

EqualStrings::EqualStrings(const Graph& graph) : graph_(graph), contents_(graph) {
  // Only strings with equal hashes are compared, so that few contents are in memory at a time.
  std::vector<std::pair<std::uint64_t, std::uint32_t>> hashes;
  hashes.reserve(contents_.nodes().size());
  for (const std::uint32_t node : contents_.nodes()) hashes.emplace_back(contents_.hash_of(node), node);
  std::ranges::sort(hashes);
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
    const auto join = [&](auto has_same_text) {
      const auto equal = std::ranges::find_if(
          found, [&](const Found& other) { return other.identity == identity && has_same_text(other); });
      if (equal != found.end()) equal->nodes.push_back(node);
      return equal != found.end();
    };
    // A program that appends to a long string makes many with the same text, which consists of many parts.
    const std::uint32_t source = contents_.source_of(node);
    if (join([source](const Found& other) { return other.source == source; })) continue;
    std::string text = contents_.text_of(node);
    if (join([&text](const Found& other) { return other.text == text; })) continue;
    found.push_back({.source = source, .text = std::move(text), .identity = identity, .nodes = {node}});
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
  const std::uint32_t first = nodes_[group.begin];
  return contents_.is_concatenated(first) ? std::nullopt : std::optional(graph_.node(first).name());
}

std::span<const std::uint32_t> EqualStrings::nodes_of(const StringGroup& group) const {
  return std::span(nodes_).subspan(group.begin, static_cast<std::size_t>(group.count));
}

}  // namespace heapcheck::analyze
