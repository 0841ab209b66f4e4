#include "recover/v8/heapprofile/recover.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "convert/plan.hpp"
#include "formats/core/checked.hpp"
#include "formats/v8/heapprofile/layout.hpp"
#include "formats/v8/heapprofile/writer.hpp"

namespace heapcheck::recovery::v8::heapprofile {
namespace {

namespace format = heapcheck::v8::heapprofile;

bool is_intact(format::NodeParts parts) { return parts.frame && parts.self_size; }

/// One flag per node, which states whether the node is intact or leads to an intact node.
std::vector<bool> find_kept(const format::Nodes& nodes, const std::vector<format::NodeParts>& parts) {
  std::vector<bool> kept(nodes.count());
  for (std::size_t i = nodes.count(); i-- > 0;) {
    kept[i] = kept[i] || is_intact(parts[i]);
    if (kept[i] && nodes.parent[i] != format::no_parent) kept[format::row_of(nodes.parent[i])] = true;
  }
  return kept;
}

/// Copies the row `from` to the last row of `nodes`, with defaults for the parts that were not read.
void copy_node(const format::Nodes& old, std::size_t from, format::NodeParts parts, core::StringPool& strings,
               format::Nodes& nodes) {
  const std::size_t to = nodes.count() - 1;
  nodes.id[to] = old.id[from];
  nodes.self_size[to] = parts.self_size ? old.self_size[from] : 0;
  if (parts.frame) {
    nodes.function_name[to] = old.function_name[from];
    nodes.script_id[to] = old.script_id[from];
    nodes.url[to] = old.url[from];
    nodes.line[to] = old.line[from];
    nodes.column[to] = old.column[from];
    return;
  }
  nodes.function_name[to] = strings.intern(to == 0 ? format::root_name : lost_name);
  nodes.script_id[to] = strings.intern(format::no_script);
  nodes.url[to] = strings.intern("");
  nodes.line[to] = format::unknown_position;
  nodes.column[to] = format::unknown_position;
}

/// Drops the sizes of nodes that would make the sum over all nodes exceed 2^64 - 1, and the samples that
/// would make the sum over all samples exceed that number.
void limit_sums(format::Reading& reading) {
  const auto take = [](std::uint64_t& sum, std::uint64_t size) {
    const auto next = core::checked_add(sum, size);
    sum = next.value_or(sum);
    return next.has_value();
  };
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < reading.profile.nodes.count(); ++i) {
    if (!take(sum, reading.profile.nodes.self_size[i])) reading.container.node_parts[i].self_size = false;
  }
  const format::Samples old = std::exchange(reading.profile.samples, {});
  sum = 0;
  for (std::size_t i = 0; i < old.count(); ++i) {
    if (take(sum, old.size[i])) reading.profile.samples.add(old.size[i], old.node_id[i], old.ordinal[i]);
  }
}

void keep_nodes(format::Reading& reading, Recovery& recovery) {
  const format::Nodes old = std::exchange(reading.profile.nodes, {});
  const std::vector<bool> kept = find_kept(old, reading.container.node_parts);
  std::vector<format::NodeIndex> places(old.count());
  format::Nodes& nodes = reading.profile.nodes;
  for (std::size_t i = 0; i < old.count(); ++i) {
    if (!kept[i]) continue;
    const format::NodeParts parts = reading.container.node_parts[i];
    const bool is_root = old.parent[i] == format::no_parent;
    places[i] = nodes.add(is_root ? format::no_parent : places[format::row_of(old.parent[i])]);
    copy_node(old, i, parts, reading.profile.strings, nodes);
    recovery.repaired_nodes += is_intact(parts) ? 0U : 1U;
  }
  recovery.kept_nodes = nodes.count();
  recovery.dropped_nodes = old.count() - nodes.count();
}

/// The rows that need a new id because they have none or have the same id as an earlier node.
std::vector<std::uint32_t> find_rows_without_id(const format::Nodes& nodes) {
  std::vector<std::uint32_t> rows(nodes.count());
  std::iota(rows.begin(), rows.end(), std::uint32_t{0});
  std::ranges::sort(rows, {}, [&nodes](std::uint32_t row) { return std::pair(nodes.id[row], row); });
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint64_t id = nodes.id[rows[i]];
    if (id == format::no_id || (i != 0 && nodes.id[rows[i - 1]] == id)) found.push_back(rows[i]);
  }
  std::ranges::sort(found);
  return found;
}

/// Gives each node that needs a new id the smallest id that is not used by any node or sample.
void renew_ids(format::Profile& profile, Recovery& recovery) {
  format::Nodes& nodes = profile.nodes;
  const auto has_id = [](std::uint64_t id) { return id != format::no_id; };
  if (std::ranges::none_of(nodes.id, has_id)) return;
  std::vector<std::uint64_t> used = nodes.id;
  used.insert(used.end(), profile.samples.node_id.begin(), profile.samples.node_id.end());
  std::ranges::sort(used);
  std::uint64_t id = 1;
  auto next = std::ranges::lower_bound(used, id);
  for (const std::uint32_t row : find_rows_without_id(nodes)) {
    for (; next != used.end() && *next <= id; ++next) id += *next == id ? 1U : 0U;
    nodes.id[row] = id++;
    ++recovery.new_ids;
  }
  profile.has_samples = true;  // V8 writes samples whenever it writes ids
}

}  // namespace

Recovery repair(format::Reading& reading) {
  Recovery recovery;
  const auto& places = reading.container.sample_indices;
  const std::uint64_t read_samples = places.empty() ? 0 : places.back() + 1;
  recovery.has_all_nodes = reading.container.head.has_value();
  recovery.has_all_samples = reading.container.samples || reading.container.is_complete;
  limit_sums(reading);
  keep_nodes(reading, recovery);
  renew_ids(reading.profile, recovery);
  recovery.lost_members = reading.container.unknown_members;
  recovery.kept_samples = reading.profile.samples.count();
  recovery.dropped_samples = read_samples - recovery.kept_samples;
  return recovery;
}

Result<Recovery> recover(core::SeekableSource& source, formats::Content& content, const Limits& limits,
                         core::ByteSink& out) {
  auto reading = conversion::take_model<format::Reading>(source, content, limits);
  if (!reading) return std::unexpected(std::move(reading.error()));
  const Recovery recovery = repair(*reading);
  if (recovery.kept_nodes == 0) return recovery;
  if (auto wrote = format::write_profile(reading->profile, out); !wrote)
    return std::unexpected(std::move(wrote.error()));
  return recovery;
}

}  // namespace heapcheck::recovery::v8::heapprofile
