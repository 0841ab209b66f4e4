#include "formats/v8/heapprofile/model.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "formats/core/checked.hpp"
#include "formats/v8/heapprofile/layout.hpp"

namespace heapcheck::v8::heapprofile {
namespace {

template <class... Columns>
std::uint64_t add_capacities(const Columns&... columns) {
  return (std::uint64_t{0} + ... + (columns.capacity() * sizeof(typename Columns::value_type)));
}

std::optional<std::uint64_t> add_up(const std::vector<std::uint64_t>& sizes) {
  if (find_row_beyond_64_bits(sizes)) return std::nullopt;
  return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
}

std::uint64_t measure_depth(const Nodes& nodes) {
  std::vector<std::uint32_t> depths(nodes.count(), 1);
  std::uint32_t deepest = 0;
  for (std::size_t i = 0; i < nodes.count(); ++i) {
    if (nodes.parent[i] != no_parent) depths[i] = depths[row_of(nodes.parent[i])] + 1;
    deepest = std::max(deepest, depths[i]);
  }
  return deepest;
}

std::uint64_t count_functions(const Nodes& nodes) {
  std::vector<std::uint32_t> rows(nodes.count());
  std::iota(rows.begin(), rows.end(), std::uint32_t{0});
  const auto key = [&nodes](std::uint32_t i) {
    return std::tuple(nodes.function_name[i], nodes.url[i], nodes.script_id[i], nodes.line[i],
                      nodes.column[i]);
  };
  std::ranges::sort(rows, {}, key);
  return static_cast<std::uint64_t>(std::ranges::unique(rows, {}, key).begin() - rows.begin());
}

std::uint64_t count_scripts(const Profile& profile) {
  std::vector<bool> is_script(profile.strings.count(), false);
  for (const core::PoolIndex script : profile.nodes.script_id) {
    if (script != no_text) is_script[static_cast<std::size_t>(script)] = true;
  }
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < is_script.size(); ++i) {
    const std::string_view text = profile.strings[core::PoolIndex{static_cast<std::uint32_t>(i)}];
    count += is_script[i] && !text.empty() && text != no_script ? 1U : 0U;
  }
  return count;
}

}  // namespace

std::optional<std::size_t> find_row_beyond_64_bits(const std::vector<std::uint64_t>& sizes) {
  std::uint64_t total = 0;
  for (std::size_t row = 0; row < sizes.size(); ++row) {
    const auto next = core::checked_add(total, sizes[row]);
    if (!next) return row;
    total = *next;
  }
  return std::nullopt;
}

NodeIndex Nodes::add(NodeIndex of_parent) {
  const auto index = static_cast<std::uint32_t>(count());
  parent.push_back(of_parent);
  self_size.push_back(0);
  id.push_back(no_id);
  function_name.push_back(no_text);
  script_id.push_back(no_text);
  url.push_back(no_text);
  line.push_back(no_position);
  column.push_back(no_position);
  return NodeIndex{index};
}

std::uint64_t Nodes::memory() const {
  return add_capacities(parent, self_size, id, function_name, script_id, url, line, column);
}

void Samples::add(std::uint64_t of_size, std::uint64_t of_node_id, std::uint64_t of_ordinal) {
  size.push_back(of_size);
  node_id.push_back(of_node_id);
  ordinal.push_back(of_ordinal);
}

std::uint64_t Samples::memory() const { return add_capacities(size, node_id, ordinal); }

Summary summarise(const Profile& profile) {
  Summary summary;
  summary.depth = measure_depth(profile.nodes);
  summary.self_size = add_up(profile.nodes.self_size);
  summary.sample_size = add_up(profile.samples.size);
  summary.functions = count_functions(profile.nodes);
  summary.scripts = count_scripts(profile);
  return summary;
}

}  // namespace heapcheck::v8::heapprofile
