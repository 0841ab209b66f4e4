#include "validate/lines.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "formats/core/window.hpp"
#include "formats/open.hpp"

namespace heapcheck::validation {
namespace {

bool is_text(Format format) { return format != Format::mvmheap_v2 && format != Format::mvmheap_v3; }

/// Counts the line feeds in the next `byte_count` bytes, and consumes these bytes.
std::uint64_t count_line_feeds(core::Window& window, std::uint64_t byte_count) {
  std::uint64_t count = 0;
  while (byte_count != 0) {
    core::ByteSpan bytes = window.peek(1);
    if (bytes.empty()) break;
    bytes = bytes.first(static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), byte_count)));
    count += static_cast<std::uint64_t>(std::ranges::count(bytes, std::uint8_t{'\n'}));
    window.consume(bytes.size());
    byte_count -= bytes.size();
  }
  return count;
}

}  // namespace

std::vector<std::uint64_t> find_lines(std::unique_ptr<core::ByteSource> raw, const Report& report,
                                      const Limits& limits) {
  if (!report.format || !is_text(*report.format) || report.findings.empty()) return {};
  const auto input = formats::unwrap(std::move(raw), limits);
  if (!input) return {};
  const auto offset_of = [&](std::size_t i) { return report.findings[i].location.file.offset; };
  std::vector<std::size_t> order(report.findings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, offset_of);
  core::Window window(*input->source);
  std::vector<std::uint64_t> lines(order.size());
  std::uint64_t line = 1;
  for (const std::size_t i : order) {
    line += count_line_feeds(window, offset_of(i) - std::min(offset_of(i), window.offset()));
    lines[i] = line;
  }
  return window.error() ? std::vector<std::uint64_t>() : lines;
}

}  // namespace heapcheck::validation
