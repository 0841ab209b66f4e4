#include "cli/mcp/questions.hpp"

#include <algorithm>
#include <optional>
#include <utility>

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

Result<Answer> ask_about_dumps(Heaps& heaps, std::string_view question, const std::vector<OpenDump*>& dumps,
                               const OptionValues& options) {
  auto asked = Question::make(question, options, dumps.size());
  if (!asked) return std::unexpected(asked.error());
  for (OpenDump* const dump : dumps) {
    if (auto loaded = heaps.load(*dump); !loaded) return std::unexpected(loaded.error());
    if (const auto added = asked->add(dump->path, *dump->dump); !added) return std::unexpected(added.error());
  }
  return asked->finish();
}

Result<Answer> ask_about_heap(Heaps& heaps, std::string_view question, OpenDump& dump, OptionValues options) {
  const auto heap = heaps.load_heap(dump, find_snapshot(options), is_forced(options));
  if (!heap) return std::unexpected(heap.error());
  options.erase("snapshot");
  return ask(**heap, question, options);
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
  }
  OpenDump& last = *dumps.back();
  const bool takes_snapshot = dumps.size() == 1 && !compares(question);
  if (takes_snapshot && last.snapshot && !options.contains("snapshot")) options["snapshot"] = *last.snapshot;
  const bool needs_dumps = dumps.size() > 1 || needs_dump(question, last, options.contains("snapshot"));
  return heaps.with_memory([&]() -> Result<Answer> {
    return needs_dumps ? ask_about_dumps(heaps, question, dumps, options)
                       : ask_about_heap(heaps, question, last, options);
  });
}

}  // namespace heapcheck::cli::mcp
