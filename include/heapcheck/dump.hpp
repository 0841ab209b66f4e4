// Opens a heap dump of any format. A Dump can be queried any number of times; content that is read for one
// query is kept for the next if it fits in memory. A Dump owns the opened input, which copies share. Not safe
// for use by two threads at the same time.
#pragma once

#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "heapcheck/types/api.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/types/graph.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/process.hpp"
#include "heapcheck/types/profile.hpp"
#include "heapcheck/types/recording.hpp"
#include "heapcheck/types/result.hpp"
#include "heapcheck/types/summary.hpp"

/// Heap dumps: open() reads them, validate() checks them, convert() and recover() write them.
namespace heapcheck {

/// The options for reading an input.
struct ReadOptions {
  Limits limits = {};  ///< the memory and time that reading may use
  /// Called after each read of the input with the number of bytes read, which is 0 at the end of the input.
  /// May be empty. If `limits` allows several threads, any thread may make the call, but only one at a time.
  std::function<void(std::uint64_t byte_count)> on_read = {};
};

/// One snapshot of a dump, one dump in a trace, or a sampling profile. Shares the data that was read.
class HEAPCHECK_API Snapshot {
 public:
  [[nodiscard]] std::uint64_t index() const;  ///< its position in the file, from 0
  [[nodiscard]] bool is_whole() const;        ///< whether the whole snapshot could be read
  /// The process that a dump in a Chrome trace describes; empty in all other formats.
  [[nodiscard]] const DumpProcess& process() const;
  [[nodiscard]] const std::optional<Recording>& recording() const;  ///< if the format states when it was made
  [[nodiscard]] std::uint64_t node_count() const;  ///< of collectables, nodes, or rows of a Chrome heap dump
  [[nodiscard]] std::uint64_t edge_count() const;  ///< of references or edges; 0 for a Chrome heap dump
  /// The total size of all nodes in bytes, capped at 2^64 - 1.
  [[nodiscard]] std::uint64_t byte_count() const;
  /// The nodes and edges. Errors: unreadable if the snapshot is not complete or not sound; unsupported if its
  /// format has no graph; limit.
  [[nodiscard]] Result<Graph> graph() const;
  /// The allocations by call stack; for a timeline, only those that are still alive. Errors: unreadable if
  /// the snapshot is not complete or not sound; unsupported if it has no stacks; limit.
  [[nodiscard]] Result<AllocationProfile> profile() const;

  struct State;
  /// For use by the library itself.
  explicit Snapshot(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  /// For use by the library itself.
  [[nodiscard]] const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

/// The snapshots of a dump, read one at a time: an input range.
class HEAPCHECK_API Snapshots {
 public:
  struct State;
  /// An input iterator: incrementing it reads the next snapshot. Copies of a Snapshot stay valid.
  class HEAPCHECK_API Iterator {
   public:
    using value_type = Snapshot;             ///< the type of the elements
    using difference_type = std::ptrdiff_t;  ///< required of iterators; they cannot be subtracted
    /// The snapshot that was read most recently.
    [[nodiscard]] const Snapshot& operator*() const { return *current_; }
    /// A pointer to the snapshot that was read most recently.
    [[nodiscard]] const Snapshot* operator->() const { return &*current_; }
    /// Reads the next snapshot.
    Iterator& operator++();
    /// Reads the next snapshot.
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& iterator, std::default_sentinel_t) { return !iterator.current_; }

   private:
    friend class Snapshots;
    std::shared_ptr<State> state_;
    std::optional<Snapshot> current_;
  };

  /// For use by the library itself.
  explicit Snapshots(std::shared_ptr<State> state) : state_(std::move(state)) {}
  /// Reads the first snapshot. Call this only once for each result of Dump::snapshots().
  [[nodiscard]] Iterator begin();
  /// The end of the range, after the last snapshot.
  [[nodiscard]] std::default_sentinel_t end() const { return {}; }

 private:
  std::shared_ptr<State> state_;
};

/// An open heap dump.
class HEAPCHECK_API Dump {
 public:
  /// The format. For a trace, this is chrome_trace until its snapshots are read or it is validated.
  [[nodiscard]] Format format() const;
  /// A short human-readable title, such as `MoarVM heap dump, version 3`.
  [[nodiscard]] std::string_view title() const;
  /// The compression around the whole file, which was removed to read the dump.
  [[nodiscard]] Compression compression() const;
  /// All snapshots, starting with the first one. The range ends early if the dump is damaged; validate()
  /// reports the damage.
  [[nodiscard]] Snapshots snapshots() const;
  /// The snapshot with that index. Uses the file's own index if it has a valid one, and otherwise reads all
  /// snapshots before the requested one. Errors: unsupported if there is no such snapshot; unreadable.
  [[nodiscard]] Result<Snapshot> snapshot(std::uint64_t index) const;
  /// The last snapshot that contains memory or, if none does, the last one. If `is_forced` is true,
  /// incomplete snapshots are ignored. Returns nothing if there is no snapshot. In Chrome traces, the last
  /// dump of a process is often empty.
  [[nodiscard]] std::optional<Snapshot> last_snapshot(bool is_forced = false) const;

  struct State;
  /// For use by the library itself.
  explicit Dump(std::shared_ptr<State> state) : state_(std::move(state)) {}
  /// For use by the library itself.
  [[nodiscard]] State& state() const { return *state_; }

 private:
  std::shared_ptr<State> state_;
};

/// Opens the file at `path` in any format, and decompresses it if the whole file is compressed. `-` means
/// standard input, which is copied. Errors: unreadable; unknown_format; damaged; limit.
[[nodiscard]] HEAPCHECK_API Result<Dump> open(const std::string& path, const ReadOptions& options = {});
/// Does the same for bytes in memory, which are borrowed.
[[nodiscard]] HEAPCHECK_API Result<Dump> open_bytes(std::span<const std::uint8_t> bytes,
                                                    const ReadOptions& options = {});

/// Summarises the file at `path`, reading it once from front to back; `-` means standard input. Errors:
/// unreadable; unknown_format.
[[nodiscard]] HEAPCHECK_API Result<Summary> summarise(const std::string& path,
                                                      const ReadOptions& options = {});
/// Does the same for an open dump.
[[nodiscard]] HEAPCHECK_API Result<Summary> summarise(const Dump& dump);

/// Summarises a single snapshot of a MoarVM dump, which is found in the same way as in Dump::snapshot(). The
/// summary has no facts or blocks, and its size is that of the input before any decompression. Errors:
/// unsupported if there is no such snapshot, or if this is not a MoarVM dump; unreadable.
[[nodiscard]] HEAPCHECK_API Result<Summary> summarise(const Dump& dump, std::uint64_t snapshot);

}  // namespace heapcheck
