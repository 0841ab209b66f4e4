
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "formats/core/text/counted.hpp"
#include "validate/v8/heapprofile/rules.hpp"

namespace heapcheck::validation::v8::heapprofile {
namespace {

Location locate_sample(const format::Reading& reading, std::size_t row, std::string_view member) {
  const format::ProfileContainer& container = reading.container;
  return {format::mark(container.sample_offsets[row]), std::nullopt,
          fmt::format("/samples/{}/{}", container.sample_indices[row], member)};
}

}  // namespace

void check_sample_nodes(const format::Reading& reading, core::FindingSink& sink) {
  std::vector<std::uint64_t> ids = reading.profile.nodes.id;
  std::ranges::sort(ids);
  const auto& sample_ids = reading.profile.samples.node_id;
  std::size_t absent = 0;
  std::size_t first = 0;
  for (std::size_t row = sample_ids.size(); row-- > 0;) {
    if (std::ranges::binary_search(ids, sample_ids[row])) continue;
    first = row;
    ++absent;
  }
  if (absent == 0) return;
  std::string message =
      absent == 1
          ? fmt::format("1 of {} belongs to node {}, which is not in the tree",
                        core::counted(sample_ids.size(), "sample"), sample_ids[first])
          : fmt::format("{} of {} samples belong to nodes that are not in the tree, the first to node {}",
                        absent, sample_ids.size(), sample_ids[first]);
  sink.report({&rules::sample_node, locate_sample(reading, first, "nodeId"), std::move(message)});
}

void check_sample_sum(const format::Reading& reading, core::FindingSink& sink) {
  const std::optional<std::size_t> row = format::find_row_beyond_64_bits(reading.profile.samples.size);
  if (!row) return;
  sink.report({&rules::size_sum, locate_sample(reading, *row, "size"),
               "the sizes of the samples up to this one add up to more than 2^64 - 1"});
}

void check_ordinals(const format::Reading& reading, core::FindingSink& sink) {
  const auto& ordinals = reading.profile.samples.ordinal;
  std::vector<std::uint32_t> rows(ordinals.size());
  std::iota(rows.begin(), rows.end(), std::uint32_t{0});
  std::ranges::sort(rows, {}, [&](std::uint32_t row) { return std::pair(ordinals[row], row); });
  std::size_t repeated = 0;
  std::uint32_t first = UINT32_MAX;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (ordinals[rows[i - 1]] != ordinals[rows[i]]) continue;
    first = std::min(first, rows[i]);
    ++repeated;
  }
  if (repeated == 0) return;
  sink.report({&rules::sample_ordinal, locate_sample(reading, first, "ordinal"),
               fmt::format("{} of {} samples {} the same ordinal as an earlier one, such as {}", repeated,
                           ordinals.size(), repeated == 1 ? "has" : "have", ordinals[first])});
}

}  // namespace heapcheck::validation::v8::heapprofile
