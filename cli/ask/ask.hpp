// What all questions about a heap have in common: the dump is opened and checked, the snapshot is chosen, and
// the answer is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/ask/answer.hpp"
#include "cli/progress.hpp"
#include "cli/values.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/heap.hpp"
#include "heapcheck/types/report.hpp"

namespace heapcheck::cli {

/// A snapshot to answer questions about.
struct Asked {
  std::string file;  ///< its path, as on the command line
  Format format{};
  std::uint64_t snapshot = 0;  ///< its index
  Heap heap;
};

/// The same before its graph or its profile is made.
struct AskedSnapshot {
  std::string file;
  Format format{};
  Snapshot snapshot;
};

/// Makes the graph. Errors: those of Snapshot::graph(); for a Chrome heap dump, the message names the
/// commands that need no graph.
Result<Asked> make_asked(const AskedSnapshot& asked);

/// Checks that a dump can be compared with an earlier one. Errors: unsupported, if their formats are of
/// different families.
Result<void> check_comparable(const std::string& first_file, Format first, Format later);

/// Enforces the limits, enters the sandbox, opens the dump at `path`, and checks it. If that gives no
/// answers, prints why and returns the exit status. `output` is a file that will be written, or empty.
/// `progress` must outlive the dump.
std::expected<Dump, int> open_to_ask(const Values& values, const std::string& path, const std::string& output,
                                     Progress& progress);

using VisitDump =
    std::function<Result<void>(const std::string& path, const Dump& dump, const Report& report)>;

/// The same for several dumps, one after the other: calls `visit` with each. Returns the exit status.
int visit_dumps(const Values& values, const std::vector<std::string>& paths, const std::string& output,
                const VisitDump& visit);

/// Finds the snapshot that --snapshot names, by default the last one with memory, opens and checks its dump,
/// and writes what `answer` says about it. Returns the exit status.
int ask(const Values& values, const std::function<Result<Answer>(const Asked&)>& answer);
/// The same for a function that also takes the values.
int ask(const Values& values, Result<Answer> (*answer)(const Values&, const Asked&));

/// The same for a snapshot without its graph.
int ask_snapshot(const Values& values, Result<Answer> (*answer)(const Values&, const AskedSnapshot&));

/// Which snapshots of a file are asked about.
enum class Which : std::uint8_t { last, first_and_last, all };

/// A file, and the snapshots of it to ask about.
struct Wanted {
  std::string file;
  Which which = Which::last;
  std::vector<std::uint64_t> snapshots = {};  ///< by index, in this order; if empty, those of `which`
};

/// Opens and checks the dumps of several files, calls `visit` with the snapshots that are asked about, one
/// after the other, and writes the answer. Stops with the first error, also one of `visit`.
int ask_files(const Values& values, const std::vector<Wanted>& files,
              const std::function<Result<void>(const Asked&)>& visit, const std::function<Answer()>& answer);

/// The same for snapshots without their graphs.
int ask_snapshots(const Values& values, const std::vector<Wanted>& files,
                  const std::function<Result<void>(const AskedSnapshot&)>& visit,
                  const std::function<Answer()>& answer);

/// FILE with the snapshot that --snapshot names or, without it, those of `which`.
Wanted find_wanted(const Values& values, Which which);

/// The facts of an answer about one snapshot: its index.
std::vector<std::pair<std::string_view, Cell>> make_facts(const Asked& asked);

/// The number of rows that --limit allows. By default, only text is limited. A command without this option
/// has no limit.
std::size_t most_rows(const Values& values);

}  // namespace heapcheck::cli
