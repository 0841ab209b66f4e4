#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "bench/enlarge/enlarge.hpp"
#include "bench/enlarge/fresh_names.hpp"
#include "bench/enlarge/growth.hpp"
#include "convert/mvmheap/convert.hpp"
#include "formats/format.hpp"
#include "formats/mvmheap/summary.hpp"

namespace heapcheck::bench {
namespace {

using namespace mvmheap;

/// The size of the string table grows with this power of the number of collectables: 40,000 collectables of a
/// real program use 923 strings, and 490,000 collectables of another program use 4,909.
constexpr double name_growth = 0.65;

struct Dump {
  FileMeta file_meta;
  std::vector<Part> snapshots;
  Tables tables;
};

Dump read(DumpReader& reader) {
  Dump dump;
  while (const Part* part = reader.read_part()) {
    if (part->has_snapshot) dump.snapshots.push_back(*part);
  }
  dump.tables = reader.tables();
  if (reader.file_meta() != nullptr) dump.file_meta = *reader.file_meta();
  return dump;
}

std::uint64_t kind_of(const Collectables& collectables, std::uint32_t node) {
  return collectables.kind[node];
}

SeedGraph make_seed(const Snapshot& snapshot) {
  const Collectables& nodes = snapshot.collectables;
  SeedGraph seed;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> groups;
  for (std::uint32_t node = 0; node < nodes.count(); ++node) {
    const std::uint64_t kind = kind_of(nodes, node);
    seed.degree.push_back(static_cast<std::uint32_t>(nodes.num_refs[node]));
    seed.first.push_back(seed.degree.back() == 0 ? 0 : nodes.refs_start[node]);
    seed.order.push_back(node);
    const std::pair key{kind, nodes.type_or_frame_index[node]};
    seed.similar.push_back(groups.try_emplace(key, static_cast<std::uint32_t>(groups.size())).first->second);
    seed.is_single.push_back(is_root_kind(kind) ||
                             kind == static_cast<std::uint64_t>(CollectableKind::stable));
  }
  for (std::uint64_t i = 0; i < snapshot.references.count(); ++i)
    seed.target.push_back(static_cast<std::uint32_t>(snapshot.references.target[i]));
  std::ranges::sort(seed.order, {}, [&](std::uint32_t node) { return seed.first[node]; });
  mark_singles(seed);
  for (std::uint32_t node = 0; node < nodes.count(); ++node) {
    const bool is_object = kind_of(nodes, node) == static_cast<std::uint64_t>(CollectableKind::object);
    if (is_object && seed.degree[node] > seed.degree[seed.hub]) seed.hub = node;
  }
  return seed;
}

/// For each string, the number of references that have it as their name.
std::vector<std::uint32_t> count_uses(const References& references, std::uint64_t string_count) {
  std::vector<std::uint32_t> uses(string_count, 0);
  for (std::uint64_t i = 0; i < references.count(); ++i) {
    const std::uint64_t description = references.description[i];
    if ((description & 3) == static_cast<std::uint64_t>(ReferenceKind::string)) ++uses[description >> 2];
  }
  return uses;
}

/// The nodes in the order in which MoarVM would number them: when it first encounters them, beginning with
/// the root. Nodes that no edge leads to come last.
std::vector<std::uint32_t> find_numbering(const GrownGraph& graph) {
  std::vector<std::uint32_t> nodes{0};
  std::vector<bool> is_met(graph.node_count(), false);
  is_met[0] = true;
  for (const std::uint32_t target : graph.target) {
    if (is_met[target]) continue;
    is_met[target] = true;
    nodes.push_back(target);
  }
  for (std::uint32_t node = 0; node < graph.node_count(); ++node) {
    if (!is_met[node]) nodes.push_back(node);
  }
  return nodes;
}

class Enlarger {
 public:
  Enlarger(const Snapshot& old, Tables& tables, std::uint64_t size)
      : old_(&old), tables_(&tables), seed_(make_seed(old)), names_(random_), size_(size) {
    for (std::uint64_t i = 0; i < tables.strings.count(); ++i) names_.add(tables.strings[StringIndex{i}]);
    uses_ = count_uses(old.references, tables.strings.count());
    new_names_in_1024_ = static_cast<std::uint64_t>(
        1024 * std::pow(static_cast<double>(size) / seed_.node_count(), name_growth - 1));
  }

  Snapshot make() {
    grown_ = grow(seed_, size_, random_);
    Snapshot made;
    made.references.description = make_descriptions();
    const std::vector<std::uint32_t> numbered = find_numbering(grown_);
    std::vector<std::uint32_t> number_of(grown_.node_count());
    for (std::uint32_t i = 0; i < numbered.size(); ++i) number_of[numbered[i]] = i;
    for (const std::uint32_t target : grown_.target) made.references.target.push_back(number_of[target]);
    Collectables& nodes = made.collectables;
    for (const std::uint32_t node : numbered) {
      const std::uint32_t origin = grown_.origin[node];
      const std::uint64_t degree = grown_.degree(seed_, node);
      nodes.kind.push_back(old_->collectables.kind[origin]);
      nodes.type_or_frame_index.push_back(old_->collectables.type_or_frame_index[origin]);
      nodes.size.push_back(old_->collectables.size[origin]);
      nodes.unmanaged_size.push_back(old_->collectables.unmanaged_size[origin]);
      nodes.refs_start.push_back(degree == 0 ? 0 : grown_.first[node]);
      nodes.num_refs.push_back(degree);
    }
    return made;
  }

 private:
  Column<std::uint32_t> make_descriptions() {
    std::vector<std::uint64_t> all(grown_.target.size());
    for (std::uint32_t node = 0; node < grown_.node_count(); ++node) {
      const std::uint32_t origin = grown_.origin[node];
      const bool is_new = node >= seed_.node_count();
      for (std::uint64_t i = 0; i < seed_.degree[origin]; ++i) {
        const std::uint64_t old = old_->references.description[seed_.first[origin] + i];
        all[grown_.first[node] + i] = is_new ? rename(old) : old;
      }
    }
    for (std::uint64_t i = seed_.degree[seed_.hub]; i < grown_.hub_degree; ++i)
      all[grown_.first[seed_.hub] + i] = i << 2 | static_cast<std::uint64_t>(ReferenceKind::integer);
    Column<std::uint32_t> column;
    column.append(std::span<const std::uint64_t>(all));
    return column;
  }

  /// Sometimes replaces a name that occurs only once in the seed with a new name.
  std::uint64_t rename(std::uint64_t description) {
    const std::uint64_t index = description >> 2;
    if ((description & 3) != static_cast<std::uint64_t>(ReferenceKind::string) || uses_[index] != 1 ||
        random_.below(1024) >= new_names_in_1024_)
      return description;
    const std::uint64_t made = tables_->strings.count();
    tables_->strings.add(names_.make(std::string(tables_->strings[StringIndex{index}])));
    return made << 2 | static_cast<std::uint64_t>(ReferenceKind::string);
  }

  const Snapshot* old_;
  Tables* tables_;
  SeedGraph seed_;
  Random random_;
  FreshNames names_;
  std::vector<std::uint32_t> uses_;
  std::uint64_t size_;
  std::uint64_t new_names_in_1024_ = 0;
  GrownGraph grown_;
};

}  // namespace

Result<void> enlarge_mvmheap(formats::OpenedInput& seed, Format format, std::uint64_t size,
                             core::ByteSink& out) {
  core::SilentSink sink;
  const Version& read_version = *formats::info_of(*seed.detection.format).version;
  Dump dump = read(*read_version.make_reader(*seed.window, no_limits(), sink));
  if (dump.snapshots.empty())
    return std::unexpected(Error{ErrorKind::unsupported, "has no snapshot, expected at least one"});
  Part& last = dump.snapshots.back();
  last.snapshot = Enlarger(Snapshot(last.snapshot), dump.tables, size).make();
  last.after = dump.tables.counts();
  const auto old_meta = std::exchange(last.meta, std::nullopt);
  last.highscores = {};
  const WrittenLayout& layout = formats::info_of(format).version->layouts.front();
  const auto writer = layout.make_writer(out, dump.file_meta, {});
  for (Part& part : dump.snapshots) {
    if (part.after == counts_unknown || !layout.capacity.holds_table_growth)
      part.after = dump.tables.counts();
    if (auto done = conversion::mvmheap::complete_part(part, dump.file_meta, layout.capacity, no_limits());
        !done)
      return done;
    if (&part == &last && old_meta && part.meta) {
      part.meta->snap_time = old_meta->snap_time;
      part.meta->gc_seq_num = old_meta->gc_seq_num;
    }
    if (auto wrote = writer->write_part(part, dump.tables); !wrote) return wrote;
  }
  return writer->finish(dump.tables);
}

}  // namespace heapcheck::bench
