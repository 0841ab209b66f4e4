#include "validate/side_by_side.hpp"

#include <algorithm>
#include <vector>

#include "formats/core/held_sink.hpp"
#include "formats/core/threads/parallel.hpp"

namespace heapcheck::validation {

void check_side_by_side(unsigned threads, std::span<const SideCheck> checks, core::FindingSink& sink) {
  check_each(threads, checks.size(), [&](std::size_t i, core::FindingSink& held) { checks[i](held); }, sink);
}

void check_each(unsigned threads, std::size_t count,
                const std::function<void(std::size_t, core::FindingSink&)>& check, core::FindingSink& sink) {
  if (threads < 2) {
    for (std::size_t i = 0; i < count; ++i) check(i, sink);
    return;
  }
  constexpr std::size_t most_held = 256;
  for (std::size_t first = 0; first < count; first += most_held) {
    std::vector<core::HeldSink> held(std::min(most_held, count - first), core::HeldSink(sink));
    core::run_parallel(threads, held.size(), [&](std::size_t i) { check(first + i, held[i]); });
    for (core::HeldSink& findings : held) findings.flush();
  }
}

}  // namespace heapcheck::validation
