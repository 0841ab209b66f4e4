// A sound MoarVM dump generated from choices: tables that grow with each snapshot, graphs in which every
// collectable is reachable, and names and numbers that are as unusual as the rules allow. It can be read like
// a dump in a file. Owns everything.
#pragma once

#include <algorithm>
#include <vector>

#include "formats/mvmheap/dump.hpp"
#include "formats/mvmheap/summary.hpp"
#include "fuzz/mvmheap/made_tables.hpp"

namespace heapcheck::fuzz {

class MadeDump final : public mvmheap::DumpReader {
 public:
  explicit MadeDump(core::ByteSpan bytes) : choices_(bytes), has_metas_(choices_.below(2) == 0) {
    if (has_metas_) choose_file_meta();
    for (std::size_t count = choices_.below(5); parts_.size() < count;) choose_part();
    tables_.add_rows(choices_);  // rows that no snapshot uses
  }

  mvmheap::Part* read_part() override {
    if (next_ == parts_.size()) return nullptr;
    current_ = parts_[next_++];
    return &current_;
  }
  void rewind() { next_ = 0; }
  [[nodiscard]] const mvmheap::Tables& tables() const override { return tables_.tables(); }
  [[nodiscard]] const mvmheap::Tables* repeated_tables() const override { return nullptr; }
  [[nodiscard]] std::optional<std::uint64_t> declared_snapshots() const override { return parts_.size(); }
  [[nodiscard]] const mvmheap::FileMeta* file_meta() const override { return has_metas_ ? &meta_ : nullptr; }
  [[nodiscard]] mvmheap::DumpDescription describe_file() const override { return {}; }

 private:
  using Kind = mvmheap::CollectableKind;

  void choose_file_meta() {
    meta_.start_time = choose_number(choices_, std::uint64_t{1} << 63U);
    if (choices_.below(2) == 0) meta_.pid = choose_number(choices_, UINT64_MAX);
    meta_.entry_count = choices_.below(50);
    std::ranges::rotate(meta_.data_order,
                        meta_.data_order.begin() + static_cast<std::ptrdiff_t>(choices_.below(4)));
    time_ = meta_.start_time;
  }

  void choose_part() {
    mvmheap::Part part;
    part.index = parts_.size();
    part.has_snapshot = part.has_whole_graph = part.has_whole_snapshot = true;
    part.before = tables().counts();
    tables_.add_rows(choices_);
    part.after = tables().counts();
    choose_graph(part.snapshot);
    if (has_metas_) part.meta = choose_meta(part);
    parts_.push_back(std::move(part));
  }

  mvmheap::SnapshotMeta choose_meta(const mvmheap::Part& part) {
    const auto summary = mvmheap::summarise(part.snapshot.collectables, part.after);
    mvmheap::SnapshotMeta meta = mvmheap::make_snapshot_meta(part.snapshot, summary);
    meta.snap_time = time_ += choices_.below(1000);
    meta.gc_seq_num = collections_ += choices_.below(3);
    return meta;
  }

  /// Every collectable except the root has a reference from an earlier collectable. More references are added
  /// at random.
  void choose_graph(mvmheap::Snapshot& snapshot) {
    const std::size_t count = 1 + choices_.below(choices_.below(8) == 0 ? 400 : 12);
    std::vector<std::vector<std::size_t>> targets(count);
    for (std::size_t i = 1; i < count; ++i) {
      targets[choices_.below(i)].push_back(i);
      if (choices_.below(2) == 0) targets[choices_.below(count)].push_back(choices_.below(count));
    }
    for (std::size_t i = 0; i < count; ++i) {
      add_collectable(snapshot.collectables, i == 0 ? Kind::root : choose_kind());
      snapshot.collectables.refs_start.push_back(targets[i].empty() ? 0 : snapshot.references.count());
      snapshot.collectables.num_refs.push_back(targets[i].size());
      for (const std::size_t target : targets[i]) add_reference(snapshot.references, target);
    }
  }

  Kind choose_kind() {
    const auto kind = static_cast<Kind>(1 + choices_.below(mvmheap::last_collectable_kind));
    const bool has_type =
        mvmheap::is_typed_kind(static_cast<std::uint64_t>(kind)) && tables().types.count() != 0;
    const bool has_frame = kind == Kind::frame && tables().static_frames.count() != 0;
    if (has_type || has_frame || (kind > Kind::frame && kind != Kind::root)) return kind;
    return Kind::thread_roots;
  }

  void add_collectable(mvmheap::Collectables& collectables, Kind kind) {
    const bool is_root = kind > Kind::frame;
    const std::uint64_t rows = kind == Kind::frame ? tables().static_frames.count() : tables().types.count();
    collectables.kind.push_back(static_cast<std::uint64_t>(kind));
    collectables.type_or_frame_index.push_back(is_root ? 0 : choose_number(choices_, rows));
    collectables.size.push_back(is_root ? 0 : choose_number(choices_, 0x10000));
    collectables.unmanaged_size.push_back(is_root ? 0 : choose_number(choices_, UINT64_MAX));
  }

  void add_reference(mvmheap::References& references, std::size_t target) {
    std::uint64_t kind = choices_.below(3);
    const std::uint64_t strings = tables().strings.count();
    if (kind == 2 && strings == 0) kind = 0;
    const std::uint64_t bound = kind == 0 ? 1 : kind == 1 ? std::uint64_t{1} << 62U : strings;
    references.description.push_back(choose_number(choices_, bound) << 2U | kind);
    references.target.push_back(target);
  }

  Choices choices_;
  MadeTables tables_;
  mvmheap::FileMeta meta_;
  bool has_metas_;
  std::uint64_t time_ = 0;
  std::uint64_t collections_ = 0;
  std::vector<mvmheap::Part> parts_;
  mvmheap::Part current_;
  std::size_t next_ = 0;
};

}  // namespace heapcheck::fuzz
