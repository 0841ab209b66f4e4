#include "validate/readers.hpp"

#include <algorithm>
#include <array>

#include "formats/chrome/faults.hpp"
#include "formats/chrome/heaps_v2/faults.hpp"
#include "formats/chrome/legacy/faults.hpp"
#include "formats/v8/heapprofile/faults.hpp"
#include "formats/v8/heapsnapshot/faults.hpp"
#include "validate/mvmheap/v3/rules.hpp"
#include "validate/reader_rules.hpp"
#include "validate/v8/heapsnapshot/readers/rules.hpp"

namespace heapcheck::validation {
namespace {

struct ReaderInfo {
  Reader reader;
  std::string_view name;
  std::span<const Format> formats;
  std::span<const RaisedRule> overrides = {};
  std::span<const FormatFault> faults = {};
};

constexpr std::array devtools_formats{Format::v8_heapsnapshot, Format::v8_heapprofile};
constexpr std::array memlab_formats{Format::v8_heapsnapshot};
constexpr std::array moar_ha_formats{Format::mvmheap_v1, Format::mvmheap_v2};
constexpr std::array newest_moar_format{Format::mvmheap_v3};
constexpr std::array trace_formats{Format::chrome_trace, Format::chrome_legacy, Format::heaps_v2};
constexpr std::array speedscope_formats{Format::v8_heapprofile, Format::chrome_trace, Format::chrome_legacy,
                                        Format::heaps_v2};

namespace v8rules = v8::heapsnapshot::readers::rules;
constexpr std::array devtools_overrides{
    RaisedRule{.from = &v8::heapsnapshot::rules::header_zero_counts,
               .to = &v8rules::devtools_header_zero_counts},
    RaisedRule{.from = &v8::heapsnapshot::rules::nodes_root_edges, .to = &v8rules::devtools_nodes_root_edges},
};
constexpr std::array memlab_overrides{
    RaisedRule{.from = &heapcheck::v8::heapsnapshot::rules::file_bom, .to = &v8rules::memlab_file_bom},
    RaisedRule{.from = &heapcheck::v8::heapsnapshot::rules::file_prefix, .to = &v8rules::memlab_file_prefix},
};
constexpr std::array moarperf_overrides{
    RaisedRule{.from = &mvmheap::v3::rules::file_unfinished, .to = &rules::moarperf_unfinished},
};
constexpr std::array speedscope_overrides{
    RaisedRule{.from = &heapcheck::v8::heapprofile::rules::node_flat, .to = &rules::speedscope_flat_frame},
};
constexpr std::array perfetto_overrides{
    RaisedRule{.from = &heapcheck::chrome::rules::file_bom, .to = &rules::perfetto_byte_order_mark},
};
constexpr std::array catapult_overrides{
    RaisedRule{.from = &heapcheck::chrome::rules::dumps_json_string, .to = &rules::catapult_json_string},
    RaisedRule{.from = &heapcheck::chrome::heaps_v2::rules::columns_renamed, .to = &rules::catapult_columns},
    RaisedRule{.from = &heapcheck::chrome::heaps_v2::rules::event_heap_profile,
               .to = &rules::catapult_heap_profile},
    RaisedRule{.from = &heapcheck::chrome::heaps_v2::rules::maps_parent_id, .to = &rules::catapult_parent_id},
    RaisedRule{.from = &heapcheck::chrome::heaps_v2::rules::rows_objects, .to = &rules::catapult_rows},
    RaisedRule{.from = &heapcheck::chrome::legacy::rules::frames_hierarchy, .to = &rules::catapult_hierarchy},
};

constexpr std::array moar_ha_faults{
    FormatFault{
        .format = Format::mvmheap_v2,
        .rule = &rules::moar_ha_version2,
        .message = "the file is of version 2, and moar-ha fails at its references, expected version 1"},
};

/// The fault that every trace has for a program that ignores heap dumps.
constexpr std::array<FormatFault, 3> ignore_dumps(const Rule* rule, std::string_view message) {
  return {{{Format::chrome_trace, rule, message},
           {Format::chrome_legacy, rule, message},
           {Format::heaps_v2, rule, message}}};
}
constexpr auto speedscope_faults =
    ignore_dumps(&rules::speedscope_dumps, "the heap is in memory dumps, which speedscope ignores");
constexpr auto perfetto_faults =
    ignore_dumps(&rules::perfetto_dumps, "the heap is in memory dumps, which perfetto ignores");

constexpr std::array readers{
    ReaderInfo{Reader::devtools, "devtools", devtools_formats, devtools_overrides},
    ReaderInfo{Reader::memlab, "memlab", memlab_formats, memlab_overrides},
    ReaderInfo{Reader::moar_ha, "moar-ha", moar_ha_formats, {}, moar_ha_faults},
    ReaderInfo{Reader::moarperf, "moarperf", newest_moar_format, moarperf_overrides},
    ReaderInfo{Reader::comma, "comma", newest_moar_format},
    ReaderInfo{Reader::speedscope, "speedscope", speedscope_formats, speedscope_overrides, speedscope_faults},
    ReaderInfo{Reader::catapult, "catapult", trace_formats, catapult_overrides},
    ReaderInfo{Reader::perfetto, "perfetto", trace_formats, perfetto_overrides, perfetto_faults},
};

const ReaderInfo* find_info(Reader reader) {
  const auto found = std::ranges::find(readers, reader, &ReaderInfo::reader);
  return found == readers.end() ? nullptr : &*found;
}

}  // namespace

std::string_view name_of(Reader reader) {
  const ReaderInfo* const info = find_info(reader);
  return info == nullptr ? std::string_view() : info->name;
}

std::vector<std::string_view> reader_names() {
  std::vector<std::string_view> names;
  for (const ReaderInfo& info : readers) names.push_back(info.name);
  return names;
}

std::optional<Reader> find_reader(std::string_view name) {
  const auto found = std::ranges::find(readers, name, &ReaderInfo::name);
  if (found == readers.end()) return std::nullopt;
  return found->reader;
}

bool reads(Reader reader, Format format) {
  const ReaderInfo* const info = find_info(reader);
  return info == nullptr || std::ranges::find(info->formats, format) != info->formats.end();
}

std::span<const RaisedRule> raised_for(Reader reader) {
  const ReaderInfo* const info = find_info(reader);
  return info == nullptr ? std::span<const RaisedRule>() : info->overrides;
}

const FormatFault* find_format_fault(Reader reader, Format format) {
  const ReaderInfo* const info = find_info(reader);
  if (info == nullptr) return nullptr;
  const auto found = std::ranges::find(info->faults, format, &FormatFault::format);
  return found == info->faults.end() ? nullptr : &*found;
}

}  // namespace heapcheck::validation
