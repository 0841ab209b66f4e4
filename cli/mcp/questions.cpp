#include "cli/mcp/questions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "heapcheck/ask.hpp"

namespace heapcheck::cli::mcp {
namespace {

std::optional<std::uint64_t> find_snapshot(const OptionValues& options) {
  const auto found = options.find("snapshot");
  return found == options.end() ? std::nullopt : std::optional(std::get<std::uint64_t>(found->second));
}

bool is_forced(const OptionValues& options) {
  const auto found = options.find("force");
  return found != options.end() && std::get<bool>(found->second);
}

bool compares(std::string_view question) { return question == "diff" || question == "growth"; }

/// Whether the graph of one snapshot is not enough to answer the question, as in the shell: only the graphs
/// of V8's heap snapshots have call stacks, Chrome's traces and sampling profiles have no graphs, and what
/// grew shows only in several snapshots.
bool needs_dump(std::string_view question, const OpenDump& dump, bool has_snapshot) {
  const Family family = family_of(dump.format);
  if (family == Family::trace || family == Family::v8_heapprofile || compares(question)) return true;
  if (question == "tree") return family != Family::v8_heapsnapshot;
  const bool is_about_all = question == "summary" || question == "suspects" || question == "leaks";
  return is_about_all && dump.snapshot_count != 1 && !has_snapshot;
}

bool has_choice(const OpenDump* dump) { return dump->snapshot.has_value(); }

/// Whether the graph of one snapshot of each dump is enough to compare the dumps.
bool compares_graphs(std::string_view question, const std::vector<OpenDump*>& dumps,
                     const OptionValues& options) {
  if (options.contains("process") || options.contains("snapshots")) return false;
  const bool compares_all = question == "growth" && std::ranges::none_of(dumps, has_choice);
  return std::ranges::all_of(dumps, [&](const OpenDump* dump) {
    return has_graph(*dump) && (!compares_all || dump->snapshot_count == 1);
  });
}

/// Compares the graphs that are in memory, so that nothing is read or computed again.
Result<Answer> ask_about_graphs(Heaps& heaps, std::string_view question, const std::vector<OpenDump*>& dumps,
                                const OptionValues& options) {
  auto asked = Question::make(question, options, dumps.size());
  if (!asked) return std::unexpected(asked.error());
  for (OpenDump* const dump : dumps) {
    const auto heap = heaps.load_heap(*dump, {}, is_forced(options));
    if (!heap) return std::unexpected(heap.error());
    if (auto added = asked->add(dump->path, **heap); !added)
      return std::unexpected(explain_error(*dump, added.error()));
  }
  return asked->finish();
}

Result<Answer> ask_about_dumps(Heaps& heaps, std::string_view question, const std::vector<OpenDump*>& dumps,
                               const OptionValues& options) {
  auto asked = Question::make(question, options, dumps.size());
  if (!asked) return std::unexpected(asked.error());
  for (OpenDump* const dump : dumps) {
    if (auto loaded = heaps.load(*dump); !loaded) return std::unexpected(loaded.error());
    if (const auto added = asked->add(dump->path, *dump->dump); !added)
      return std::unexpected(explain_error(*dump, added.error()));
  }
  return asked->finish();
}

Result<Answer> ask_about_heap(Heaps& heaps, std::string_view question, OpenDump& dump, OptionValues options) {
  const auto heap = heaps.load_heap(dump, find_snapshot(options), is_forced(options));
  if (!heap) return std::unexpected(heap.error());
  options.erase("snapshot");
  return ask(**heap, question, options);
}

/// Checks how many dumps or snapshots `diff` is about, in the words of its arguments.
Result<void> check_compared(std::size_t dump_count, bool has_snapshots) {
  constexpr std::size_t most = 3;
  if (has_snapshots ? dump_count == 1 : dump_count > 1 && dump_count <= most) return {};
  return std::unexpected(Error{
      ErrorKind::unsupported,
      fmt::format("found {}{}, expected one or two later dumps in `later`, or only `dump` and `snapshots`",
                  core::counted(dump_count, "dump"), has_snapshots ? " and `snapshots`" : "")});
}

}  // namespace

Result<Answer> ask_question(Heaps& heaps, std::string_view question, const std::vector<OpenDump*>& dumps,
                            OptionValues options) {
  for (const OpenDump* const dump : dumps) {
    const bool is_damaged =
        dump->obstacle && (dump->obstacle->kind != ErrorKind::damaged || !is_forced(options));
    if (is_damaged)
      return std::unexpected(
          Error{dump->obstacle->kind, core::show_path(dump->path) + ": " + dump->obstacle->message});
    const bool has_nothing = dump->obstacle && has_graph(*dump) && dump->snapshot_count == 0;
    if (has_nothing) return std::unexpected(explain_error(*dump, *dump->obstacle));
  }
  if (question == "diff") {
    if (auto checked = check_compared(dumps.size(), options.contains("snapshots")); !checked)
      return std::unexpected(checked.error());
  }
  OpenDump& last = *dumps.back();
  const bool takes_snapshot = dumps.size() == 1 && !compares(question);
  if (takes_snapshot && last.snapshot && !options.contains("snapshot")) options["snapshot"] = *last.snapshot;
  const bool needs_dumps = dumps.size() > 1 || options.contains("process") ||
                           needs_dump(question, last, options.contains("snapshot"));
  if (dumps.size() > 1 && compares_graphs(question, dumps, options)) {
    auto answer = heaps.with_memory([&] { return ask_about_graphs(heaps, question, dumps, options); });
    // Reading one graph after another takes less memory than all of them and what was computed from them, but
    // always concerns the last snapshots.
    const bool may_read = std::ranges::none_of(dumps, has_choice);
    if (answer || answer.error().kind != ErrorKind::limit || !may_read) return answer;
    for (OpenDump* const dump : dumps) heaps.drop_heap(*dump);
  }
  return heaps.with_memory([&]() -> Result<Answer> {
    return needs_dumps ? ask_about_dumps(heaps, question, dumps, options)
                       : ask_about_heap(heaps, question, last, options);
  });
}

}  // namespace heapcheck::cli::mcp
