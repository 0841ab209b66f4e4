// The parts of a MoarVM dump, kept while it is checked so that converting or recovering need not read it
// again. Owns them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "formats/mvmheap/dump.hpp"

namespace heapcheck::mvmheap {

/// What one reading of a whole dump handed out.
struct KeptDump {
  std::vector<Part> parts;
  Tables tables;
  std::optional<Tables> repeated;  ///< as DumpReader::repeated_tables()
  std::optional<FileMeta> file_meta;
};

/// Collects parts while they stay within `max_memory` bytes together.
class PartKeeper {
 public:
  explicit PartKeeper(std::uint64_t max_memory) : left_(max_memory) {}

  /// Takes what the part holds; to be called with each part when nobody looks at it any more.
  void keep(Part& part);
  /// The dump, where all of it could be kept.
  [[nodiscard]] std::optional<KeptDump> take(const Tables& tables, const Tables* repeated,
                                             const FileMeta* file_meta);

 private:
  KeptDump dump_;
  std::uint64_t left_;
  bool is_whole_ = true;
};

/// Hands out the parts of a kept dump as its reader did. What the caller changes of a part beside its graph
/// is as it was again with the next one.
class KeptReader final : public DumpReader {
 public:
  explicit KeptReader(KeptDump& dump) : dump_(&dump) {}
  KeptReader(const KeptReader&) = delete;
  KeptReader& operator=(const KeptReader&) = delete;
  ~KeptReader() override { restore(); }

  Part* read_part() override;
  [[nodiscard]] const Tables& tables() const override { return dump_->tables; }
  [[nodiscard]] const Tables* repeated_tables() const override {
    return dump_->repeated ? &*dump_->repeated : nullptr;
  }
  [[nodiscard]] const FileMeta* file_meta() const override {
    return dump_->file_meta ? &*dump_->file_meta : nullptr;
  }
  /// Nothing: where things were is not kept.
  [[nodiscard]] DumpDescription describe_file() const override { return {}; }

 private:
  /// What writers of other versions change.
  struct Saved {
    std::uint64_t index = 0;
    TableCounts after;
    std::optional<SnapshotMeta> meta;
    Highscores highscores;
  };
  void restore();

  KeptDump* dump_;
  std::size_t next_ = 0;
  Saved saved_;  // of the part before `next_`
};

}  // namespace heapcheck::mvmheap
