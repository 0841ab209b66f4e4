#include "recover/v8/heapsnapshot/control_runs.hpp"

#include <algorithm>

namespace heapcheck::recovery::v8::heapsnapshot {
namespace {

/// The number of control characters that is kept of a run.
constexpr std::size_t longest_run = 8;

bool is_control(unsigned char c) { return c < 0x20 && c != '\t' && c != '\n' && c != '\r'; }

}  // namespace

bool ControlRunFilter::drops(unsigned char c) {
  run_ = is_control(c) ? run_ + 1 : 0;
  return run_ > longest_run;
}

Result<std::size_t> ControlRunFilter::read(core::MutableByteSpan buffer) {
  for (;;) {
    const auto count = source_->read(buffer);
    if (!count || *count == 0) return count;
    const auto end = buffer.begin() + static_cast<std::ptrdiff_t>(*count);
    const auto kept = std::remove_if(buffer.begin(), end, [this](unsigned char c) { return drops(c); });
    if (kept != buffer.begin()) return static_cast<std::size_t>(kept - buffer.begin());
  }
}

}  // namespace heapcheck::recovery::v8::heapsnapshot
