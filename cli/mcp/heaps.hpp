// The dumps that an agent has opened. They stay in memory as long as there is room; the one that was used
// least recently goes first, and is read again when it is next used.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/mcp/memory_meter.hpp"
#include "cli/mcp/roots.hpp"
#include "heapcheck/ask.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/report.hpp"

namespace heapcheck::cli::mcp {

/// The work on one request, as seen by the thread that does it.
struct Work {
  std::stop_token stop = {};
  /// Called with the number of bytes that have been read for the request so far. May be empty.
  std::function<void(std::uint64_t byte_count)> on_progress = {};
};

/// A dump that was opened. Everything below `used` is known even while the dump is not in memory.
struct OpenDump {
  std::string id;                              ///< such as `d1`
  std::string path;                            ///< without symbolic links
  std::string identity;                        ///< of the file when it was opened
  std::optional<std::uint64_t> snapshot = {};  ///< the snapshot that the agent chose
  std::uint64_t used = 0;                      ///< larger for dumps that were used later
  Format format{};
  std::uint64_t snapshot_count = 0;
  Verdict verdict{};
  std::optional<Error> obstacle = {};  ///< why questions cannot be answered, if they cannot
  std::optional<Dump> dump = {};
  std::optional<Report> report = {};
  std::optional<LoadedHeap> heap = {};
  bool is_heap_last = false;  ///< whether the heap was made without a choice of a snapshot
};

/// Whether the dump contains objects and references, rather than allocations by call stack.
[[nodiscard]] bool has_graph(const OpenDump& dump);

/// The error with the path of the dump. If the dump is damaged, the error is a consequence of the damage, and
/// the message states the damage and its place instead.
[[nodiscard]] Error explain_error(const OpenDump& dump, const Error& error);

class Heaps {
 public:
  /// Opened dumps that are not used hold little memory, but each has an entry in every list.
  static constexpr std::size_t most_dumps = 200;

  Heaps(Roots roots, Limits limits) : roots_(std::move(roots)), limits_(limits) {}
  Heaps(const Heaps&) = delete;
  Heaps& operator=(const Heaps&) = delete;

  [[nodiscard]] const Roots& roots() const { return roots_; }
  [[nodiscard]] const Limits& limits() const { return limits_; }
  [[nodiscard]] const std::vector<std::unique_ptr<OpenDump>>& dumps() const { return dumps_; }

  /// Sets what must let go of a dump before it is removed from memory, such as answers that share its graph.
  void set_on_drop(std::function<void(const OpenDump& dump)> on_drop) { on_drop_ = std::move(on_drop); }
  /// Sets the request that is being worked on; null if there is none.
  void begin(const Work* work);

  /// Opens and checks a file. Opening it again with the same snapshot returns the same dump, unless the file
  /// has changed. Errors: unsupported if the path is not allowed, if there is no such snapshot, or if too
  /// many dumps are open; those of heapcheck::open().
  [[nodiscard]] Result<OpenDump*> open(const std::string& path, std::optional<std::uint64_t> snapshot);
  /// The dump with that id, which now counts as used. Errors: unsupported if there is none.
  [[nodiscard]] Result<OpenDump*> find(std::string_view id);
  void close(const OpenDump& dump);
  /// Whether the current request uses the dump.
  [[nodiscard]] bool is_used(const OpenDump& dump) const { return dump.used > began_; }

  /// Fails if the current request was cancelled. Errors: unreadable.
  [[nodiscard]] Result<void> check_wanted() const;
  /// Whether anything has been read for the current request.
  [[nodiscard]] bool has_read() const { return read_bytes_ != 0; }

  /// Makes sure that the dump is in memory, and that its file has not changed, because more of it may be
  /// read. Errors: unreadable if the file has changed or is gone, or if the request was cancelled.
  [[nodiscard]] Result<void> load(OpenDump& dump);
  /// Errors: unreadable if the file has changed.
  [[nodiscard]] Result<void> check_unchanged(const OpenDump& dump) const;
  /// The graph of a snapshot; by default the chosen one, and otherwise the last one. Errors: also those of
  /// Snapshot::graph().
  [[nodiscard]] Result<const LoadedHeap*> load_heap(OpenDump& dump, std::optional<std::uint64_t> snapshot,
                                                    bool is_forced);

  /// Removes the graph of a dump from memory, but not the dump.
  void drop_heap(OpenDump& dump);
  /// Removes the dump that was used least recently from memory, unless it is used by the current request.
  /// Returns whether there was one.
  bool drop_oldest();
  /// Removes the dumps that the current request used from memory, because they may have been read only in
  /// part.
  void drop_used();
  /// Removes dumps until there is room for new ones.
  void make_room();

  /// Calls `make`, and calls it again with fewer dumps in memory if the memory is not enough.
  template <class Make>
  auto with_memory(const Make& make) -> decltype(make()) {
    for (;;) {
      auto made = attempt(make);
      if (made || made.error().kind != ErrorKind::limit || !drop_oldest()) return made;
    }
  }

 private:
  template <class Make>
  static auto attempt(const Make& make) -> decltype(make()) {
    try {
      return make();
    } catch (const std::bad_alloc&) {
      return std::unexpected(Error{ErrorKind::limit, "out of memory; --max-memory SIZE sets the limit"});
    }
  }
  void touch(OpenDump& dump);
  void drop(OpenDump& dump);
  [[nodiscard]] Result<void> read(OpenDump& dump, OpenFile file);
  [[nodiscard]] Result<Dump> open_file(OpenFile file);

  Roots roots_;
  Limits limits_;
  MemoryMeter memory_;
  std::vector<std::unique_ptr<OpenDump>> dumps_;
  std::uint64_t next_id_ = 1;
  std::uint64_t clock_ = 0;
  std::uint64_t began_ = 0;  ///< the clock when the current request began
  std::function<void(const OpenDump& dump)> on_drop_ = {};
  const Work* work_ = nullptr;
  std::uint64_t read_bytes_ = 0;
};

}  // namespace heapcheck::cli::mcp
