#include "formats/core/text/losses.hpp"

#include <fmt/format.h>

#include <iterator>

namespace heapcheck::core {

std::string describe_losses(std::span<const Loss> losses) {
  std::string text;
  for (const Loss& loss : losses)
    fmt::format_to(std::back_inserter(text), "  lost: {}: {} ({})\n", loss.what, loss.count, loss.reason);
  return text;
}

}  // namespace heapcheck::core
