// Chooses the dumps of a trace by the process that they describe. Borrows the dump.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heapcheck/dump.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::api {

/// The snapshots of a dump: all of them or, if `wanted` is given, those of the processes with this id or
/// type. A type matches in any case, and with or without the prefix `Headless`.
class ProcessChoice {
 public:
  /// Errors: unsupported if the dump is not a trace or has no dump of such a process.
  static Result<ProcessChoice> make(const Dump& dump, const std::optional<std::string>& wanted);

  [[nodiscard]] bool accepts(const Snapshot& snapshot) const;
  /// Errors: unsupported if accepts() is false for the snapshot.
  [[nodiscard]] Result<void> check(const Snapshot& snapshot) const;
  /// Does the same as Dump::last_snapshot() for the accepted snapshots.
  [[nodiscard]] std::optional<Snapshot> find_last(const Dump& dump, bool is_forced) const;
  /// The last accepted snapshot of each process, chosen in the same way, in file order. Snapshots of unknown
  /// processes are all included.
  [[nodiscard]] std::vector<Snapshot> find_last_of_each(const Dump& dump, bool is_forced) const;
  /// Whether all accepted snapshots describe the same known process.
  [[nodiscard]] bool has_only_process(const Dump& dump) const;

 private:
  std::optional<std::string> wanted_;
};

}  // namespace heapcheck::api
