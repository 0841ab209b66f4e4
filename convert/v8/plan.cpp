#include "convert/v8/plan.hpp"

#include <memory>
#include <utility>

#include "convert/reread.hpp"
#include "formats/v8/heapprofile/writer.hpp"
#include "formats/v8/heapsnapshot/writer.hpp"

namespace heapcheck::conversion::v8 {
namespace {

namespace heapprofile = heapcheck::v8::heapprofile;
namespace heapsnapshot = heapcheck::v8::heapsnapshot;

}  // namespace

std::vector<Loss> find_losses(std::uint64_t unknown_members) {
  if (unknown_members == 0) return {};
  return {{"members that V8 does not write", unknown_members, "their meaning is unknown"}};
}
Result<Plan> make_heapsnapshot_plan(core::SeekableSource& source, formats::Content& content,
                                    const Request& request) {
  using heapsnapshot::Section;
  auto taken = take_model<heapsnapshot::Snapshot>(source, content, request.limits);
  if (!taken) return std::unexpected(taken.error());
  const auto snapshot = std::make_shared<heapsnapshot::Snapshot>(std::move(*taken));
  return Plan{.amounts = {{"nodes", snapshot->table(Section::nodes).row_count()},
                          {"edges", snapshot->table(Section::edges).row_count()},
                          {"strings", snapshot->strings.table.count()}},
              .losses = find_losses(snapshot->unknown_members),
              .asked_for = {},
              .write = [snapshot](core::ByteSink& out) { return write_snapshot(*snapshot, out); }};
}

Result<Plan> make_heapprofile_plan(core::SeekableSource& source, formats::Content& content,
                                   const Request& request) {
  auto taken = take_model<heapprofile::Reading>(source, content, request.limits);
  if (!taken) return std::unexpected(taken.error());
  const auto reading = std::make_shared<heapprofile::Reading>(std::move(*taken));
  const heapprofile::Profile& profile = reading->profile;
  return Plan{.amounts = {{"nodes", profile.nodes.count()}, {"samples", profile.samples.count()}},
              .losses = find_losses(reading->container.unknown_members),
              .asked_for = {},
              .write = [reading](core::ByteSink& out) { return write_profile(reading->profile, out); }};
}

}  // namespace heapcheck::conversion::v8
