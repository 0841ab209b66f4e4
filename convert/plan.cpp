#include "convert/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "formats/v8/heapprofile/writer.hpp"
#include "formats/v8/heapsnapshot/quirks.hpp"
#include "formats/v8/heapsnapshot/writer.hpp"

namespace heapcheck::conversion {
namespace {

/// Returns the reason, if any, why the request cannot be fulfilled for a dump in that format.
std::optional<std::string> find_misuse(Format format, const Request& request) {
  const std::vector<Target> targets = targets_of(family_of(format));
  if (std::ranges::find(targets, request.target) == targets.end()) {
    std::vector<std::string> names;
    for (const Target target : targets) names.push_back(name_of(target));
    return fmt::format("is in format {}, which cannot be converted to {}, only to {}", slug_of(format),
                       name_of(request.target), fmt::join(names, ", "));
  }
  if (request.keep_trace && family_of(format) != Family::trace)
    return fmt::format("is a {}, expected a trace, because only traces have other events to keep",
                       title_of(format));
  if ((request.threshold || request.share) && request.target.format != Format::chrome_legacy)
    return fmt::format("cannot be converted to {} with a threshold or a share, which are for chrome-legacy",
                       name_of(request.target));
  return std::nullopt;
}

/// Plans how to write one of V8's heap files as V8 itself would write it.
Result<Plan> make_heapsnapshot_plan(core::SeekableSource& source, formats::Content& content,
                                    const Request& request) {
  namespace format = heapcheck::v8::heapsnapshot;
  auto taken = take_model<format::Snapshot>(source, content, request.limits);
  if (!taken) return std::unexpected(taken.error());
  const auto snapshot = std::make_shared<format::Snapshot>(std::move(*taken));
  format::correct_zero_counts(*snapshot);
  return Plan{.amounts = {{"nodes", snapshot->table(format::Section::nodes).row_count()},
                          {"edges", snapshot->table(format::Section::edges).row_count()},
                          {"strings", snapshot->strings.table.count()}},
              .losses = v8::find_losses(snapshot->unknown_members),
              .asked_for = {},
              .write = [snapshot](core::ByteSink& out) { return write_snapshot(*snapshot, out); }};
}

Result<Plan> make_heapprofile_plan(core::SeekableSource& source, formats::Content& content,
                                   const Request& request) {
  namespace format = heapcheck::v8::heapprofile;
  auto taken = take_model<format::Reading>(source, content, request.limits);
  if (!taken) return std::unexpected(taken.error());
  const auto reading = std::make_shared<format::Reading>(std::move(*taken));
  const format::Profile& profile = reading->profile;
  return Plan{.amounts = {{"nodes", profile.nodes.count()}, {"samples", profile.samples.count()}},
              .losses = v8::find_losses(reading->container.unknown_members),
              .asked_for = {},
              .write = [reading](core::ByteSink& out) { return write_profile(reading->profile, out); }};
}

}  // namespace

std::vector<Loss> v8::find_losses(std::uint64_t unknown_members) {
  if (unknown_members == 0) return {};
  return {{"members that V8 does not write", unknown_members, "their meaning is unknown"}};
}

Result<Plan> make_plan(core::SeekableSource& source, Format format, formats::Content& content,
                       const Request& request) {
  if (auto misuse = find_misuse(format, request))
    return std::unexpected(Error{ErrorKind::unsupported, std::move(*misuse)});
  switch (family_of(format)) {
    case Family::mvmheap:
      return mvmheap::make_plan(source, format, content, request);
    case Family::trace:
      return chrome::make_plan(source, content, request);
    case Family::v8_heapprofile:
      return make_heapprofile_plan(source, content, request);
    case Family::v8_heapsnapshot:
      return make_heapsnapshot_plan(source, content, request);
  }
  return Plan{};
}

}  // namespace heapcheck::conversion
