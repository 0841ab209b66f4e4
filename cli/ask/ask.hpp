// What all questions about a heap have in common: the dump is opened and checked, the snapshot is chosen, and
// the answer is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/ask/answer.hpp"
#include "cli/progress.hpp"
#include "cli/values.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/heap.hpp"

namespace heapcheck::cli {

/// A snapshot to answer questions about.
struct Asked {
  Format format{};
  std::uint64_t snapshot = 0;  ///< its index
  Heap heap;
};

/// Enforces the limits, enters the sandbox, opens the dump that FILE names, and checks it. If that gives no
/// answers, prints why and returns the exit status. `progress` must outlive the dump.
std::expected<Dump, int> open_to_ask(const Values& values, Progress& progress);

/// Finds the snapshot that --snapshot names, by default the last one, opens and checks its dump, and writes
/// what `answer` says about it. Returns the exit status.
int ask(const Values& values, const std::function<Result<Answer>(const Asked&)>& answer);
/// The same for a function that also takes the values.
int ask(const Values& values, Result<Answer> (*answer)(const Values&, const Asked&));

/// The same for all snapshots, or the one that --snapshot names; `visit` gets one after the other, and then
/// `answer` is called.
int ask_each(const Values& values, const std::function<void(const Asked&)>& visit,
             const std::function<Answer()>& answer);

/// The same for what changes: the last snapshots of FILE and of the files in LATER or, if there is only FILE,
/// its first and its last one.
int ask_moments(const Values& values, const std::function<Answer(const std::vector<Asked>&)>& answer);

/// The facts of an answer about one snapshot: its index.
std::vector<std::pair<std::string_view, Cell>> make_facts(const Asked& asked);

/// The number of rows that --limit allows. By default, only text is limited. A command without this option
/// has no limit.
std::size_t most_rows(const Values& values);

}  // namespace heapcheck::cli
