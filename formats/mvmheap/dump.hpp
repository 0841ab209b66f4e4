// Reading and writing a MoarVM heap dump whatever its version: one virtual call a part. What works on
// any version (converting, recovering) stands on these two. A reader owns the part it hands out and
// the shared tables; a writer borrows its sink.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/part.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/result.hpp"
#include "heapcheck/summary.hpp"

namespace heapcheck::mvmheap {

/// What a version's container says of what was read of a file.
struct DumpDescription {
  std::uint64_t byte_count = 0;
  std::vector<Fact> facts;
  std::vector<FileBlock> blocks;
};

class DumpReader {
 public:
  virtual ~DumpReader() = default;
  /// The next part, which the caller may change; it stands until the next call. Null at the end.
  virtual Part* read_part() = 0;
  /// The shared tables as far as they were read; all of them behind the last part.
  [[nodiscard]] virtual const Tables& tables() const = 0;
  /// All rows once more, where the end of the file repeats those that stand behind snapshots; else, and
  /// before the end, null.
  [[nodiscard]] virtual const Tables* repeated_tables() const = 0;
  /// Null where the file has none, or not yet or not well.
  [[nodiscard]] virtual const FileMeta* file_meta() const = 0;
  /// What was read so far.
  [[nodiscard]] virtual DumpDescription describe_file() const = 0;
};

class DumpWriter {
 public:
  virtual ~DumpWriter() = default;
  /// Writes the snapshot of `part`, and its new rows of `tables` where the version writes them with a
  /// snapshot. `tables` hold at least the rows up to `part.after`; version 1 writes them first and needs
  /// all rows from the first call on. Errors, of kind unwritable: those of the sink, and a part that
  /// the version cannot hold; nothing more is written then.
  virtual Result<void> write_part(const Part& part, const Tables& tables) = 0;
  /// Writes what closes a file. To be called once, behind the last part.
  virtual Result<void> finish(const Tables& tables) = 0;
};

/// The reader of one version, which fills parts of its own type, as a DumpReader. The version's folder has
/// describe(const Reader&).
template <class Reader, class VersionPart>
class VersionReader final : public DumpReader {
 public:
  template <class... Args>
  explicit VersionReader(Args&&... args) : reader_(std::forward<Args>(args)...) {}

  Part* read_part() override { return reader_.read_part(part_) ? &part_ : nullptr; }
  [[nodiscard]] const Tables& tables() const override { return reader_.tables(); }
  [[nodiscard]] const Tables* repeated_tables() const override {
    if constexpr (requires { reader_.repeated_tables(); }) return reader_.repeated_tables();
    return nullptr;
  }
  [[nodiscard]] const FileMeta* file_meta() const override {
    if constexpr (requires { reader_.file_meta(); }) {
      if (reader_.file_meta()) return &*reader_.file_meta();
    }
    return nullptr;
  }
  [[nodiscard]] DumpDescription describe_file() const override { return describe(reader_); }

 private:
  Reader reader_;
  VersionPart part_;
};

template <class Reader, class VersionPart>
std::unique_ptr<DumpReader> make_version_reader(core::Window& window, const Limits& limits,
                                                core::FindingSink& sink) {
  return std::make_unique<VersionReader<Reader, VersionPart>>(window, limits, sink);
}

}  // namespace heapcheck::mvmheap
