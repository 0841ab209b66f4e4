// Opens a heap dump of any format. A Dump can be asked as often as wanted; what was read for one question is
// kept for the next where it fits. Owns what it opened; copies share it. Not to be used by two threads at
// once.
#pragma once

#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "heapcheck/api.hpp"
#include "heapcheck/format.hpp"
#include "heapcheck/graph.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/result.hpp"
#include "heapcheck/summary.hpp"

/// Heap dumps: open() reads them, validate() checks them, convert() and recover() write them.
namespace heapcheck {

/// How an input is read.
struct ReadOptions {
  Limits limits = {};  ///< what reading may cost
  /// Called with the number of bytes of each read of the input, and with 0 at its end; may be empty.
  std::function<void(std::uint64_t byte_count)> on_read = {};
};

/// One snapshot of a dump, or one dump of a trace, or a sampling profile. Shares what it was read from.
class HEAPCHECK_API Snapshot {
 public:
  /// Its place in the file, from 0.
  [[nodiscard]] std::uint64_t index() const;
  /// Whether all of it could be read.
  [[nodiscard]] bool is_whole() const;
  /// Collectables, nodes, or rows of a Chrome heap dump.
  [[nodiscard]] std::uint64_t node_count() const;
  /// References or edges; 0 for a Chrome heap dump.
  [[nodiscard]] std::uint64_t edge_count() const;
  /// Bytes of all nodes together; 2^64 - 1 where they are that or more.
  [[nodiscard]] std::uint64_t byte_count() const;
  /// Errors: unreadable, where the snapshot is not whole or sound; unsupported, where its format has no
  /// graph; limit.
  [[nodiscard]] Result<Graph> graph() const;

  struct State;
  /// For the library itself, which makes them.
  explicit Snapshot(std::shared_ptr<const State> state) : state_(std::move(state)) {}

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
    using value_type = Snapshot;             ///< what it leads to
    using difference_type = std::ptrdiff_t;  ///< of iterators, which are not subtracted
    /// The snapshot that was read last.
    [[nodiscard]] const Snapshot& operator*() const { return *current_; }
    /// The same.
    [[nodiscard]] const Snapshot* operator->() const { return &*current_; }
    /// Reads the next snapshot.
    Iterator& operator++();
    /// The same.
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& iterator, std::default_sentinel_t) { return !iterator.current_; }

   private:
    friend class Snapshots;
    std::shared_ptr<State> state_;
    std::optional<Snapshot> current_;
  };

  /// For the library itself, which makes them.
  explicit Snapshots(std::shared_ptr<State> state) : state_(std::move(state)) {}
  /// Reads the first snapshot. To be called once for each Dump::snapshots().
  [[nodiscard]] Iterator begin();
  /// After the last snapshot.
  [[nodiscard]] std::default_sentinel_t end() const { return {}; }

 private:
  std::shared_ptr<State> state_;
};

/// An open heap dump.
class HEAPCHECK_API Dump {
 public:
  /// For a trace, chrome_trace until its snapshots were read or it was validated.
  [[nodiscard]] Format format() const;
  /// A few words for people: `MoarVM heap dump, version 3`.
  [[nodiscard]] std::string_view title() const;
  /// What was taken off before it was read.
  [[nodiscard]] Compression compression() const;
  /// From the first one on. Ends early where the dump is damaged; validate() says where.
  [[nodiscard]] Snapshots snapshots() const;
  /// The snapshot of that index, found by the file's own index where it has one that holds, else by reading
  /// up to it. Errors: unsupported, where there is none; unreadable.
  [[nodiscard]] Result<Snapshot> snapshot(std::uint64_t index) const;

  struct State;
  /// For the library itself, which makes them.
  explicit Dump(std::shared_ptr<State> state) : state_(std::move(state)) {}
  /// For the library itself.
  [[nodiscard]] State& state() const { return *state_; }

 private:
  std::shared_ptr<State> state_;
};

/// Opens the file at `path`, whatever its format, decompressing it if its first bytes say so; `-` is standard
/// input, of which a copy is kept. Errors: unreadable; unknown_format; damaged; limit.
[[nodiscard]] HEAPCHECK_API Result<Dump> open(const std::string& path, const ReadOptions& options = {});
/// The same for bytes in memory, which are borrowed.
[[nodiscard]] HEAPCHECK_API Result<Dump> open_bytes(std::span<const std::uint8_t> bytes,
                                                    const ReadOptions& options = {});

/// What is inside the file at `path`, which is read once from front to back; `-` is standard input. Errors:
/// unreadable; unknown_format.
[[nodiscard]] HEAPCHECK_API Result<Summary> summarise(const std::string& path,
                                                      const ReadOptions& options = {});
/// The same of an open dump.
[[nodiscard]] HEAPCHECK_API Result<Summary> summarise(const Dump& dump);

/// Of one snapshot of a MoarVM dump only, found as by Dump::snapshot(): no facts and no blocks, and the size
/// is that of the file as it is. Errors: unsupported, where there is no such snapshot, or the
/// dump is none of MoarVM; unreadable.
[[nodiscard]] HEAPCHECK_API Result<Summary> summarise(const Dump& dump, std::uint64_t snapshot);

}  // namespace heapcheck
