// Programs that read heap dumps, for checks of what one of them needs beyond the format.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "formats/core/rule.hpp"
#include "formats/registry.hpp"
#include "formats/v8/heapsnapshot/layout.hpp"

namespace heapcheck::validate {

enum class Consumer : std::uint8_t {
  none,
  devtools,  ///< Chrome DevTools
  memlab,    ///< Meta's memlab
};

/// The reader that a check is made for.
struct Reader {
  Consumer consumer = Consumer::none;
  /// Characters of the longest string that it can hold: that of V8, in which both are run.
  std::uint64_t max_text = heapcheck::v8::heapsnapshot::longest_string;
  /// Calls that it can go down in a trace tree, as measured.
  std::uint64_t max_calls = 4500;
};

/// A rule that a consumer takes more seriously than the format does: `to` is the same rule, raised.
struct Raise {
  const core::Rule* from;
  const core::Rule* to;
};

/// `devtools`; empty for none.
[[nodiscard]] std::string_view name_of(Consumer consumer);
/// All names that find_consumer() knows.
[[nodiscard]] std::span<const std::string_view> consumer_names();
/// The consumer of that name.
[[nodiscard]] std::optional<Consumer> find_consumer(std::string_view name);
/// Whether it reads files of that format at all; none reads everything.
[[nodiscard]] bool reads(Consumer consumer, formats::Format format);
/// What is worse for it than for others.
[[nodiscard]] std::span<const Raise> raised_for(Consumer consumer);

}  // namespace heapcheck::validate
