// The parts of a MoarVM dump that are kept during a check, so that a conversion or recovery does not have to
// read the dump again. Owns the parts.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "formats/mvmheap/dump.hpp"

namespace heapcheck::mvmheap {

/// Everything that a reader has returned for a dump.
struct KeptDump {
  std::vector<Part> parts;
  Tables tables;
  std::optional<Tables> repeated;                   ///< see DumpReader::repeated_tables()
  std::optional<std::uint64_t> declared_snapshots;  ///< see DumpReader::declared_snapshots()
  std::optional<FileMeta> file_meta;
};

/// Collects parts as long as all of them together fit in `max_memory` bytes.
class PartKeeper {
 public:
  explicit PartKeeper(std::uint64_t max_memory) : left_(max_memory) {}

  /// Moves the contents of the part into the kept dump. Call this for each part once the part is no longer
  /// needed elsewhere.
  void keep(Part& part);
  /// The dump, or nothing if it did not fit.
  [[nodiscard]] std::optional<KeptDump> take(const Tables& tables, const Tables* repeated,
                                             const FileMeta* file_meta);

 private:
  KeptDump dump_;
  std::uint64_t left_;
  bool is_whole_ = true;
};

/// Returns the parts of a kept dump in the same way as the original reader. When the next part is read,
/// changes that the caller made to a part are undone, except for changes to its graph.
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
  [[nodiscard]] std::optional<std::uint64_t> declared_snapshots() const override {
    return dump_->declared_snapshots;
  }
  [[nodiscard]] const FileMeta* file_meta() const override {
    return dump_->file_meta ? &*dump_->file_meta : nullptr;
  }
  /// Empty, because offsets in the file are not kept.
  [[nodiscard]] DumpDescription describe_file() const override { return {}; }

 private:
  /// The fields that callers change in order to write a part in a different version.
  struct Saved {
    std::uint64_t index = 0;
    TableCounts after;
    std::optional<SnapshotMeta> meta;
    Highscores highscores;
  };
  void restore() noexcept;

  KeptDump* dump_;
  std::size_t next_ = 0;
  std::optional<Saved> saved_;  // the fields of the last returned part, until they are restored
};

}  // namespace heapcheck::mvmheap
