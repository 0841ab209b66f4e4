// Programs that read heap dumps, for checks of what one of them needs beyond the format.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "formats/v8/heapsnapshot/layout.hpp"
#include "heapcheck/finding.hpp"
#include "heapcheck/format.hpp"
#include "validate/severity_override.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consumers {

enum class Consumer : std::uint8_t {
  none,
  devtools,  ///< Chrome DevTools
  memlab,    ///< Meta's memlab
};

/// The program that a check is made for.
struct ConsumerProfile {
  Consumer consumer = Consumer::none;
  /// Characters of the longest string that it can hold: that of V8, in which both are run.
  std::uint64_t max_text = heapcheck::v8::heapsnapshot::longest_string;
  /// Calls that it can go down in a trace tree, as measured.
  std::uint64_t max_calls = 4500;
};

/// `devtools`; empty for none.
[[nodiscard]] std::string_view name_of(Consumer consumer);
/// All names that find_consumer() knows.
[[nodiscard]] std::vector<std::string_view> consumer_names();
/// The consumer of that name.
[[nodiscard]] std::optional<Consumer> find_consumer(std::string_view name);
/// Whether it reads files of that format at all; none reads everything.
[[nodiscard]] bool reads(Consumer consumer, Format format);
/// What is worse for it than for others.
[[nodiscard]] std::span<const SeverityOverride> raised_for(Consumer consumer);

}  // namespace heapcheck::validation::v8::heapsnapshot::consumers
