// heapcheck convert: a heap file of V8 as V8 itself would write it.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/convert.hpp"
#include "formats/core/excerpt.hpp"
#include "formats/v8/heapprofile/reader.hpp"
#include "formats/v8/heapprofile/writer.hpp"
#include "formats/v8/heapsnapshot/reader.hpp"
#include "formats/v8/heapsnapshot/writer.hpp"

namespace heapcheck::cli {
namespace {

/// What `read` gives for the window on `source`, decompressed.
template <class Read>
auto read_all(core::SeekableSource& source, const Limits& limits, Read&& read)
    -> Result<decltype(read(std::declval<core::Window&>()))> {
  auto input = core::unwrap(std::make_unique<core::RangeSource>(source, 0), limits);
  if (!input) return std::unexpected(input.error());
  core::Window window(*input->source);
  auto content = read(window);
  if (window.error()) return std::unexpected(*window.error());
  return content;
}

/// Writes with `write`, which loses `lost_members` that V8 does not write, and says so, with `words` on how
/// much was written.
int rewrite(const ConvertSettings& settings, std::uint64_t lost_members, const std::string& words,
            const std::function<Result<void>(core::ByteSink&)>& write) {
  std::vector<Loss> losses;
  if (lost_members != 0)
    losses.push_back({"members that V8 does not write", lost_members, "nothing is known of them"});
  if (stops_at(settings, losses)) return usage;
  if (const auto wrote = write_checked(settings, write); !wrote)
    return report_write_error(settings, wrote.error());
  print_summary(settings,
                fmt::format("{}: {}\n  {}\n{}", core::make_excerpt(settings.target_path(), SIZE_MAX),
                            settings.to, words, describe_losses(losses)));
  return losses.empty() ? sound : lossy;
}

}  // namespace

int convert_heapsnapshot(const ConvertSettings& settings, core::SeekableSource& source) {
  namespace format = v8::heapsnapshot;
  const Limits limits = settings.limits;
  core::SilentSink sink;
  const auto snapshot = read_all(
      source, limits, [&](core::Window& window) { return format::read_snapshot(window, limits, sink); });
  if (!snapshot) return report_error(settings.input, snapshot.error());
  const auto words =
      fmt::format("nodes: {}, edges: {}, strings: {}", snapshot->table(format::Section::nodes).row_count(),
                  snapshot->table(format::Section::edges).row_count(), snapshot->strings.table.count());
  return rewrite(settings, snapshot->unknown_members, words,
                 [&](core::ByteSink& out) { return format::write_snapshot(*snapshot, out); });
}

int convert_heapprofile(const ConvertSettings& settings, core::SeekableSource& source) {
  namespace format = v8::heapprofile;
  const Limits limits = settings.limits;
  core::SilentSink sink;
  const auto reading = read_all(
      source, limits, [&](core::Window& window) { return format::read_profile(window, limits, sink); });
  if (!reading) return report_error(settings.input, reading.error());
  const format::Profile& profile = reading->profile;
  const auto words = fmt::format("nodes: {}, samples: {}", profile.nodes.count(), profile.samples.count());
  return rewrite(settings, reading->container.unknown_members, words,
                 [&](core::ByteSink& out) { return format::write_profile(profile, out); });
}

}  // namespace heapcheck::cli
