#include "formats/format.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "formats/mvmheap/v1/version.hpp"
#include "formats/mvmheap/v2/version.hpp"
#include "formats/mvmheap/v3/version.hpp"

namespace heapcheck {
namespace formats {
namespace {

constexpr std::array<std::string_view, 1> mvmheap{".mvmheap"};
constexpr std::array<std::string_view, 2> snapshot{".heapsnapshot", ".heaptimeline"};
constexpr std::array<std::string_view, 1> profile{".heapprofile"};

// clang-format off
constexpr std::array formats{
    FormatInfo{.format = Format::mvmheap_v1, .family = Family::mvmheap, .slug = "mvmheap-v1",
               .title = "MoarVM heap dump, version 1", .extensions = {}, .version = &mvmheap::v1::version},
    FormatInfo{.format = Format::mvmheap_v2, .family = Family::mvmheap, .slug = "mvmheap-v2",
               .title = "MoarVM heap dump, version 2", .extensions = mvmheap, .version = &mvmheap::v2::version},
    FormatInfo{.format = Format::mvmheap_v3, .family = Family::mvmheap, .slug = "mvmheap-v3",
               .title = "MoarVM heap dump, version 3", .extensions = mvmheap, .version = &mvmheap::v3::version},
    FormatInfo{.format = Format::chrome_trace, .family = Family::trace, .slug = "chrome-trace",
               .title = "Chrome trace", .extensions = {}, .is_written = false},
    FormatInfo{.format = Format::chrome_legacy, .family = Family::trace, .slug = "chrome-legacy",
               .title = "Chrome trace with legacy heap dumps", .extensions = {}},
    FormatInfo{.format = Format::heaps_v2, .family = Family::trace, .slug = "heaps-v2",
               .title = "Chrome trace with heaps_v2 dumps", .extensions = {}},
    FormatInfo{.format = Format::v8_heapprofile, .family = Family::v8_heapprofile, .slug = "heapprofile",
               .title = "V8 sampling heap profile", .extensions = profile},
    FormatInfo{.format = Format::v8_heapsnapshot, .family = Family::v8_heapsnapshot, .slug = "heapsnapshot",
               .title = "V8 heap snapshot", .extensions = snapshot},
};
// clang-format on

}  // namespace

std::span<const FormatInfo> all_info() { return formats; }

const FormatInfo& info_of(Format format) { return *std::ranges::find(formats, format, &FormatInfo::format); }

}  // namespace formats

std::string_view slug_of(Format format) { return formats::info_of(format).slug; }
std::string_view title_of(Format format) { return formats::info_of(format).title; }
Family family_of(Format format) { return formats::info_of(format).family; }

std::span<const std::string_view> extensions_of(Format format) { return formats::info_of(format).extensions; }

std::vector<Format> all_formats() {
  std::vector<Format> all;
  for (const formats::FormatInfo& info : formats::all_info()) all.push_back(info.format);
  return all;
}

std::string name_of(Target target) {
  const formats::FormatInfo& info = formats::info_of(target.format);
  std::string name(info.slug);
  if (info.version != nullptr && target.layout < info.version->layouts.size())
    name += info.version->layouts[target.layout].suffix;
  return name;
}

std::vector<Target> targets_of(Family family) {
  std::vector<Target> targets;
  for (const formats::FormatInfo& info : formats::all_info()) {
    if (info.family != family || !info.is_written) continue;
    const std::size_t layouts = info.version != nullptr ? info.version->layouts.size() : 1;
    for (std::size_t i = 0; i < layouts; ++i)
      targets.push_back({.format = info.format, .layout = static_cast<std::uint8_t>(i)});
  }
  return targets;
}

std::optional<Target> find_target(std::string_view name) {
  for (const formats::FormatInfo& info : formats::all_info()) {
    for (const Target target : targets_of(info.family)) {
      if (name_of(target) == name) return target;
    }
  }
  return std::nullopt;
}

}  // namespace heapcheck
