// The interfaces for readers and writers of MoarVM heap dumps. They are the same for all versions, and take
// one virtual call per part. Code that handles all versions, such as conversion and recovery, uses these
// interfaces. A reader owns the shared tables and the part that it returns; a writer borrows its sink.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/part.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"
#include "heapcheck/types/summary.hpp"

namespace heapcheck::mvmheap {

/// Describes the part of a file that has been read. The facts come from the container of the version.
struct DumpDescription {
  std::uint64_t byte_count = 0;
  std::vector<Fact> facts;
  std::vector<FileBlock> blocks;
};

class DumpReader {
 public:
  virtual ~DumpReader() = default;
  /// Returns the next part, which the caller may change, or null at the end. The part is valid until the next
  /// call.
  virtual Part* read_part() = 0;
  /// The rows of the shared tables that have been read so far; complete after the last part.
  [[nodiscard]] virtual const Tables& tables() const = 0;
  /// The rows at the end of the file, if they repeat the rows that follow the snapshots. Null if they do not
  /// or if the end has not been reached.
  [[nodiscard]] virtual const Tables* repeated_tables() const = 0;
  /// The number of snapshots according to the file; empty if the file does not state it or if the end has not
  /// been reached.
  [[nodiscard]] virtual std::optional<std::uint64_t> declared_snapshots() const = 0;
  /// The metadata of the file. Null if there is none, or if it has not been read yet or is damaged.
  [[nodiscard]] virtual const FileMeta* file_meta() const = 0;
  /// Describes the part of the file that has been read so far.
  [[nodiscard]] virtual DumpDescription describe_file() const = 0;
};

class DumpWriter {
 public:
  virtual ~DumpWriter() = default;
  /// Writes the snapshot of `part`, and the new rows of `tables` if the version writes rows with snapshots.
  /// `tables` must contain at least the rows up to `part.after`; version 1 writes the tables first, so it
  /// needs all rows in the first call. All errors are of kind `unwritable`: errors from the sink, and an
  /// error if the version cannot represent the part. Nothing more is written after an error.
  virtual Result<void> write_part(const Part& part, const Tables& tables) = 0;
  /// Writes the end of the file. Call this once, after the last part.
  virtual Result<void> finish(const Tables& tables) = 0;
};

/// Wraps the reader for one version, which fills parts of its own type, as a DumpReader. The version's folder
/// must declare describe(const Reader&).
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
  [[nodiscard]] std::optional<std::uint64_t> declared_snapshots() const override {
    if constexpr (requires { reader_.declared_snapshots(); }) return reader_.declared_snapshots();
    return std::nullopt;
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
