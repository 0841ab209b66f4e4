// The state that a Dump shares with its copies and its snapshots: the open source, and the content that has
// been read from it so far.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "analyze/heap.hpp"
#include "analyze/summary/snapshot_size.hpp"
#include "formats/core/source.hpp"
#include "formats/detect.hpp"
#include "formats/model.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/heap.hpp"
#include "heapcheck/types/recording.hpp"
#include "heapcheck/types/report.hpp"

namespace heapcheck {

struct Dump::State {
  std::string path;                              ///< empty for bytes in memory
  std::unique_ptr<core::SeekableSource> source;  ///< reports each read to ReadOptions::on_read
  ReadOptions options;
  formats::Detection detection;
  Format format{};  ///< for a trace: the format of its heap dumps once it has been read
  Compression compression = Compression::none;
  std::optional<Report> report;  ///< the report on the last check that was not for a particular reader
  /// The content that was read and kept, and that has not been used up yet. Shared with snapshot iterators
  /// that are still in use.
  std::shared_ptr<formats::Content> content = std::make_shared<formats::Content>();
  bool gives_content_up = false;  ///< whether a graph frees the content from which it is made
};

struct Snapshot::State {
  std::uint64_t index = 0;
  bool is_whole = false;
  analyze::SnapshotSize size;
  DumpProcess process = {};  ///< in a trace
  /// Of a MoarVM dump of version 3.
  std::optional<Recording> recording = {};
  /// Makes the graph. Owns or shares the data that it needs.
  std::function<Result<Graph>()> make_graph = {};
  /// Makes the profile; empty if the format has no stacks. Owns or shares the data that it needs.
  std::function<Result<AllocationProfile>()> make_profile = {};
};

struct Heap::State : analyze::Heap {
  using analyze::Heap::Heap;
};

struct Snapshots::State {
  virtual ~State() = default;
  /// The next snapshot, or nothing after the last one.
  virtual std::optional<Snapshot> next() = 0;
};

/// Opens the file at `path`, or standard input for `-`, in order to read it once. Each read is reported to
/// ReadOptions::on_read. Errors: unreadable.
[[nodiscard]] Result<std::unique_ptr<core::ByteSource>> open_once(const std::string& path,
                                                                  const ReadOptions& options);

/// A source that reads the dump again from its first byte.
[[nodiscard]] std::unique_ptr<core::ByteSource> read_again(const Dump::State& state);

/// The content of a JSON file, which is read now if it has not been read before. Null if that fails.
[[nodiscard]] const formats::Content* find_content(Dump::State& state);

/// The snapshots of a dump, starting with the first one.
[[nodiscard]] std::shared_ptr<Snapshots::State> make_snapshots(const Dump& dump);

/// What the dump contains if it is a trace without heap dumps that was read to its end, or a MoarVM dump
/// without snapshots; otherwise empty.
[[nodiscard]] std::string find_lack(const Dump& dump);

/// Why a dump without snapshots has none, as the message of an error.
[[nodiscard]] std::string explain_lack(const Dump& dump);

/// One snapshot of a MoarVM dump, found by the file's own index if that is valid. Errors: unreadable.
[[nodiscard]] Result<Snapshot> find_snapshot(const Dump::State& state, std::uint64_t index);

}  // namespace heapcheck
