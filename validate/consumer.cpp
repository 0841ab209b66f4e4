#include "validate/consumer.hpp"

#include <algorithm>
#include <array>

#include "validate/v8/heapsnapshot/memlab_rules.hpp"

namespace heapcheck::validate {
namespace {

/// In the order of Consumer, none left out.
constexpr std::array<std::string_view, 2> names{"devtools", "memlab"};

constexpr std::array for_memlab{
    Raise{&heapcheck::v8::heapsnapshot::rules::file_bom, &v8::heapsnapshot::rules::memlab_file_bom}};

}  // namespace

std::string_view name_of(Consumer consumer) {
  return consumer == Consumer::none ? std::string_view() : names[static_cast<std::size_t>(consumer) - 1];
}

std::span<const std::string_view> consumer_names() { return names; }

std::optional<Consumer> find_consumer(std::string_view name) {
  const auto* const found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Consumer>(found - names.begin() + 1);
}

bool reads(Consumer consumer, formats::Format format) {
  switch (consumer) {
    case Consumer::devtools:
      return format == formats::Format::v8_heapsnapshot || format == formats::Format::v8_heapprofile;
    case Consumer::memlab:
      return format == formats::Format::v8_heapsnapshot;
    case Consumer::none:
      break;
  }
  return true;
}

std::span<const Raise> raised_for(Consumer consumer) {
  return consumer == Consumer::memlab ? std::span<const Raise>(for_memlab) : std::span<const Raise>();
}

}  // namespace heapcheck::validate
