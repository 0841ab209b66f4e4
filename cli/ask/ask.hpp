// What all questions about a heap have in common: the dump is opened and checked, the snapshot is chosen, and
// the answer is written.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cli/ask/answer.hpp"
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

/// Finds the snapshot that --snapshot names, by default the last one, opens and checks its dump, and writes
/// what `answer` says about it. Returns the exit status.
int ask(const Values& values, const std::function<Result<Answer>(const Asked&)>& answer);

/// The same for all snapshots, or the one that --snapshot names; `visit` gets one after the other, and then
/// `answer` is called.
int ask_each(const Values& values, const std::function<void(const Asked&)>& visit,
             const std::function<Answer()>& answer);

/// The same for what changes: the last snapshots of FILE and of the files in LATER or, if there is only FILE,
/// its first and its last one.
int ask_moments(const Values& values, const std::function<Answer(const std::vector<Asked>&)>& answer);

/// The facts of an answer about one snapshot: its index.
std::vector<std::pair<std::string_view, Cell>> make_facts(const Asked& asked);

/// The number of rows that --limit allows; 0 for all. By default, only text is limited. A command without
/// this option has no limit.
std::uint64_t limit_of(const Values& values);

/// Leaves out the rows beyond the limit.
void limit_rows(const Values& values, Answer& answer);

}  // namespace heapcheck::cli
