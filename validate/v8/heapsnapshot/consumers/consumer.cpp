#include "validate/v8/heapsnapshot/consumers/consumer.hpp"

#include <algorithm>
#include <array>

#include "formats/v8/heapsnapshot/faults.hpp"
#include "validate/v8/heapsnapshot/consumers/memlab_rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consumers {
namespace {

struct ConsumerInfo {
  Consumer consumer;
  std::string_view name;
  std::span<const Format> formats;
  std::span<const SeverityOverride> overrides = {};
};

constexpr std::array devtools_formats{Format::v8_heapsnapshot, Format::v8_heapprofile};
constexpr std::array memlab_formats{Format::v8_heapsnapshot};
constexpr std::array devtools_overrides{
    SeverityOverride{.from = &heapsnapshot::rules::header_zero_counts,
                     .to = &rules::devtools_header_zero_counts},
    SeverityOverride{.from = &heapsnapshot::rules::nodes_root_edges, .to = &rules::devtools_nodes_root_edges},
};
constexpr std::array memlab_overrides{
    SeverityOverride{.from = &heapcheck::v8::heapsnapshot::rules::file_bom, .to = &rules::memlab_file_bom},
    SeverityOverride{.from = &heapcheck::v8::heapsnapshot::rules::file_prefix,
                     .to = &rules::memlab_file_prefix},
};

constexpr std::array consumers{
    ConsumerInfo{.consumer = Consumer::devtools,
                 .name = "devtools",
                 .formats = devtools_formats,
                 .overrides = devtools_overrides},
    ConsumerInfo{.consumer = Consumer::memlab,
                 .name = "memlab",
                 .formats = memlab_formats,
                 .overrides = memlab_overrides},
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

}  // namespace heapcheck::validation::v8::heapsnapshot::consumers
