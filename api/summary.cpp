#include <memory>
#include <string>
#include <utility>

#include "analyze/summary/summary.hpp"
#include "api/guard.hpp"
#include "api/state.hpp"
#include "formats/core/source.hpp"
#include "formats/open.hpp"
#include "heapcheck/dump.hpp"

namespace heapcheck {
namespace {

Result<Summary> summarise_source(std::unique_ptr<core::ByteSource> source, const Limits& limits) {
  auto input = formats::open(std::move(source), limits);
  if (!input) return std::unexpected(std::move(input.error()));
  Summary summary = analyze::summarise(*input->detection.format, *input->window, limits);
  if (const auto& error = input->window->error();
      error && error->kind != ErrorKind::damaged && error->kind != ErrorKind::limit)
    return std::unexpected(
        Error{is_limit(error->kind) ? error->kind : ErrorKind::unreadable, error->message});
  if (input->detection.is_guess && summary.is_foreign)
    return std::unexpected(Error{ErrorKind::unknown_format, std::move(input->detection.explanation)});
  summary.compression = input->input.compression;
  return summary;
}

}  // namespace

Result<Summary> summarise(const std::string& path, const ReadOptions& options) {
  auto source = open_once(path, options);
  if (!source) return std::unexpected(std::move(source.error()));
  return api::guard([&] { return summarise_source(std::move(*source), options.limits); });
}

Result<Summary> summarise(const Dump& dump) {
  return api::guard([&] { return summarise_source(read_again(dump.state()), dump.state().options.limits); });
}

Result<Summary> summarise(const Dump& dump, std::uint64_t snapshot) {
  const Dump::State& state = dump.state();
  if (family_of(state.format) != Family::mvmheap) {
    return std::unexpected(Error{ErrorKind::unsupported,
                                 "is a " + std::string(dump.title()) + ", which has no numbered snapshots"});
  }
  auto found =
      api::guard([&] { return formats::read_snapshot(*state.source, state.options.limits, snapshot); });
  if (!found) return std::unexpected(std::move(found.error()));
  const bool is_whole = found->part.has_whole_snapshot;
  std::vector<Fact> facts;
  if (!found->part.snapshot.references.has_targets) facts.push_back(analyze::make_targets_fact());
  MvmheapSummary content{
      .snapshots = {analyze::describe_snapshot(found->part)}, .blocks = {}, .is_one_snapshot = true};
  return Summary{.format = state.format,
                 .compression = state.compression,
                 .byte_count = state.source->byte_count(),
                 .errors = is_whole ? 0U : 1U,
                 .facts = std::move(facts),
                 .content = std::move(content)};
}

}  // namespace heapcheck
