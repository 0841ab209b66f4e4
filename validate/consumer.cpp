#include "validate/consumer.hpp"

#include <algorithm>
#include <array>

#include "formats/chrome/faults.hpp"
#include "formats/chrome/heaps_v2/faults.hpp"
#include "formats/chrome/legacy/faults.hpp"
#include "formats/v8/heapprofile/faults.hpp"
#include "formats/v8/heapsnapshot/faults.hpp"
#include "validate/consumer_rules.hpp"
#include "validate/mvmheap/v3/rules.hpp"
#include "validate/v8/heapsnapshot/consumers/rules.hpp"

namespace heapcheck::validation {
namespace {

struct ConsumerInfo {
  Consumer consumer;
  std::string_view name;
  std::span<const Format> formats;
  std::span<const SeverityOverride> overrides = {};
  std::span<const FormatFault> faults = {};
};

constexpr std::array devtools_formats{Format::v8_heapsnapshot, Format::v8_heapprofile};
constexpr std::array memlab_formats{Format::v8_heapsnapshot};
constexpr std::array moar_ha_formats{Format::mvmheap_v1, Format::mvmheap_v2};
constexpr std::array newest_moar_format{Format::mvmheap_v3};
constexpr std::array trace_formats{Format::chrome_trace, Format::chrome_legacy, Format::heaps_v2};
constexpr std::array speedscope_formats{Format::v8_heapprofile, Format::chrome_trace, Format::chrome_legacy,
                                        Format::heaps_v2};

namespace v8rules = v8::heapsnapshot::consumers::rules;
constexpr std::array devtools_overrides{
    SeverityOverride{.from = &v8::heapsnapshot::rules::header_zero_counts,
                     .to = &v8rules::devtools_header_zero_counts},
    SeverityOverride{.from = &v8::heapsnapshot::rules::nodes_root_edges,
                     .to = &v8rules::devtools_nodes_root_edges},
};
constexpr std::array memlab_overrides{
    SeverityOverride{.from = &heapcheck::v8::heapsnapshot::rules::file_bom, .to = &v8rules::memlab_file_bom},
    SeverityOverride{.from = &heapcheck::v8::heapsnapshot::rules::file_prefix,
                     .to = &v8rules::memlab_file_prefix},
};
constexpr std::array moarperf_overrides{
    SeverityOverride{.from = &mvmheap::v3::rules::file_unfinished, .to = &rules::moarperf_unfinished},
};
constexpr std::array speedscope_overrides{
    SeverityOverride{.from = &heapcheck::v8::heapprofile::rules::node_flat,
                     .to = &rules::speedscope_flat_frame},
};
constexpr std::array perfetto_overrides{
    SeverityOverride{.from = &heapcheck::chrome::rules::file_bom, .to = &rules::perfetto_byte_order_mark},
};
constexpr std::array catapult_overrides{
    SeverityOverride{.from = &heapcheck::chrome::rules::dumps_json_string,
                     .to = &rules::catapult_json_string},
    SeverityOverride{.from = &heapcheck::chrome::heaps_v2::rules::columns_renamed,
                     .to = &rules::catapult_columns},
    SeverityOverride{.from = &heapcheck::chrome::heaps_v2::rules::event_heap_profile,
                     .to = &rules::catapult_heap_profile},
    SeverityOverride{.from = &heapcheck::chrome::heaps_v2::rules::maps_parent_id,
                     .to = &rules::catapult_parent_id},
    SeverityOverride{.from = &heapcheck::chrome::heaps_v2::rules::rows_objects, .to = &rules::catapult_rows},
    SeverityOverride{.from = &heapcheck::chrome::legacy::rules::frames_hierarchy,
                     .to = &rules::catapult_hierarchy},
};

constexpr std::array moar_ha_faults{
    FormatFault{.format = Format::mvmheap_v2,
                .rule = &rules::moar_ha_version2,
                .message = "the file is of version 2, at whose references moar-ha fails, expected version 1"},
};

/// The fault of all traces for a program that ignores their heap dumps.
constexpr std::array<FormatFault, 3> ignore_dumps(const Rule* rule, std::string_view message) {
  return {{{Format::chrome_trace, rule, message},
           {Format::chrome_legacy, rule, message},
           {Format::heaps_v2, rule, message}}};
}
constexpr auto speedscope_faults =
    ignore_dumps(&rules::speedscope_dumps, "the heap is in memory dumps, which speedscope ignores");
constexpr auto perfetto_faults =
    ignore_dumps(&rules::perfetto_dumps, "the heap is in memory dumps, which perfetto ignores");

constexpr std::array consumers{
    ConsumerInfo{Consumer::devtools, "devtools", devtools_formats, devtools_overrides},
    ConsumerInfo{Consumer::memlab, "memlab", memlab_formats, memlab_overrides},
    ConsumerInfo{Consumer::moar_ha, "moar-ha", moar_ha_formats, {}, moar_ha_faults},
    ConsumerInfo{Consumer::moarperf, "moarperf", newest_moar_format, moarperf_overrides},
    ConsumerInfo{Consumer::comma, "comma", newest_moar_format},
    ConsumerInfo{Consumer::speedscope, "speedscope", speedscope_formats, speedscope_overrides,
                 speedscope_faults},
    ConsumerInfo{Consumer::catapult, "catapult", trace_formats, catapult_overrides},
    ConsumerInfo{Consumer::perfetto, "perfetto", trace_formats, perfetto_overrides, perfetto_faults},
};

const ConsumerInfo* find_info(Consumer consumer) {
  const auto* const found = std::ranges::find(consumers, consumer, &ConsumerInfo::consumer);
  return found == consumers.end() ? nullptr : found;
}

}  // namespace

std::string_view name_of(Consumer consumer) {
  const ConsumerInfo* const info = find_info(consumer);
  return info == nullptr ? std::string_view() : info->name;
}

std::vector<std::string_view> consumer_names() {
  std::vector<std::string_view> names;
  for (const ConsumerInfo& info : consumers) names.push_back(info.name);
  return names;
}

std::optional<Consumer> find_consumer(std::string_view name) {
  const auto* const found = std::ranges::find(consumers, name, &ConsumerInfo::name);
  if (found == consumers.end()) return std::nullopt;
  return found->consumer;
}

bool reads(Consumer consumer, Format format) {
  const ConsumerInfo* const info = find_info(consumer);
  return info == nullptr || std::ranges::find(info->formats, format) != info->formats.end();
}

std::span<const SeverityOverride> raised_for(Consumer consumer) {
  const ConsumerInfo* const info = find_info(consumer);
  return info == nullptr ? std::span<const SeverityOverride>() : info->overrides;
}

const FormatFault* find_format_fault(Consumer consumer, Format format) {
  const ConsumerInfo* const info = find_info(consumer);
  if (info == nullptr) return nullptr;
  const auto found = std::ranges::find(info->faults, format, &FormatFault::format);
  return found == info->faults.end() ? nullptr : &*found;
}

}  // namespace heapcheck::validation
