#include "formats/registry_mvmheap.hpp"

#include <algorithm>
#include <array>

#include "formats/mvmheap/v1/names.hpp"
#include "formats/mvmheap/v1/reader.hpp"
#include "formats/mvmheap/v1/writer.hpp"
#include "formats/mvmheap/v2/reader.hpp"
#include "formats/mvmheap/v2/writer.hpp"
#include "formats/mvmheap/v3/reader.hpp"
#include "formats/mvmheap/v3/writer.hpp"

namespace heapcheck::formats {
namespace {

using mvmheap::Capacity;

struct TargetInfo {
  Target target;
  std::string_view name;
  Capacity capacity;
};

/// In the order of Target.
constexpr std::array targets{
    TargetInfo{Target::mvmheap_v1, "mvmheap-v1", {.holds_name = mvmheap::v1::can_hold}},
    TargetInfo{Target::mvmheap_v2, "mvmheap-v2", {}},
    TargetInfo{Target::mvmheap_v2_increments, "mvmheap-v2:increments", {.holds_table_growth = true}},
    TargetInfo{Target::mvmheap_v3,
               "mvmheap-v3",
               {.holds_metas = true, .holds_table_growth = true, .holds_closing_rows = true}},
};

template <class Reader, class Part>
std::unique_ptr<mvmheap::DumpReader> make_version_reader(core::Window& window, const core::Limits& limits,
                                                         core::FindingSink& sink) {
  return std::make_unique<mvmheap::VersionReader<Reader, Part>>(window, limits, sink);
}

std::unique_ptr<mvmheap::DumpReader> make_reader(Format format, core::Window& window,
                                                 const core::Limits& limits, core::FindingSink& sink) {
  switch (format) {
    case Format::mvmheap_v1:
      return make_version_reader<mvmheap::v1::Reader, mvmheap::v1::Part>(window, limits, sink);
    case Format::mvmheap_v2:
      return make_version_reader<mvmheap::v2::Reader, mvmheap::v2::Part>(window, limits, sink);
    case Format::mvmheap_v3:
      return make_version_reader<mvmheap::v3::Reader, mvmheap::v3::Part>(window, limits, sink);
    default:
      return nullptr;
  }
}

}  // namespace

core::Result<OpenedDump> open_mvmheap(core::SeekableSource& source, const core::Limits& limits,
                                      core::FindingSink& sink) {
  auto input = core::unwrap(std::make_unique<core::RangeSource>(source, 0), limits);
  if (!input) return std::unexpected(std::move(input.error()));
  auto window = std::make_unique<core::Window>(*input->source);
  const core::ByteSpan first_bytes = window->peek(detection_bytes);
  if (first_bytes.empty() && window->error()) return std::unexpected(*window->error());
  const auto detection = detect(first_bytes.first(std::min(first_bytes.size(), detection_bytes)));
  if (!detection.format)
    return std::unexpected(core::Error{core::ErrorKind::unreadable, detection.explanation});
  auto reader = make_reader(*detection.format, *window, limits, sink);
  if (!reader) return std::unexpected(core::Error{core::ErrorKind::unreadable, "is no MoarVM heap dump"});
  return OpenedDump{std::move(*input), std::move(window), *detection.format, std::move(reader)};
}

std::string_view name_of(Target target) { return targets[static_cast<std::size_t>(target)].name; }

std::optional<Target> find_target(std::string_view name) {
  const auto* found = std::ranges::find(targets, name, &TargetInfo::name);
  return found == targets.end() ? std::nullopt : std::optional(found->target);
}

std::vector<std::string_view> target_names() {
  std::vector<std::string_view> names;
  for (const TargetInfo& info : targets) names.push_back(info.name);
  return names;
}

Capacity capacity_of(Target target) { return targets[static_cast<std::size_t>(target)].capacity; }

Target usual_target(Format format, const mvmheap::Survey& survey) {
  switch (format) {
    case Format::mvmheap_v1:
      return Target::mvmheap_v1;
    case Format::mvmheap_v2:
      return survey.count_grown() != 0 ? Target::mvmheap_v2_increments : Target::mvmheap_v2;
    default:
      return Target::mvmheap_v3;
  }
}

std::unique_ptr<mvmheap::DumpWriter> make_writer(Target target, core::ByteSink& out,
                                                 const mvmheap::FileMeta& meta, const WriteOptions& options) {
  switch (target) {
    case Target::mvmheap_v1:
      return std::make_unique<mvmheap::v1::Writer>(out, mvmheap::v1::WriterOptions{.replace_names = true});
    case Target::mvmheap_v2:
    case Target::mvmheap_v2_increments:
      return std::make_unique<mvmheap::v2::Writer>(
          out, mvmheap::v2::WriterOptions{.increments = target == Target::mvmheap_v2_increments});
    case Target::mvmheap_v3:
      return std::make_unique<mvmheap::v3::Writer>(out, meta, mvmheap::v3::WriterOptions{options.level});
  }
  return nullptr;
}

}  // namespace heapcheck::formats
