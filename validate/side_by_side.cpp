#include "validate/side_by_side.hpp"

#include <vector>

#include "formats/core/held_sink.hpp"
#include "formats/core/threads/parallel.hpp"

namespace heapcheck::validation {

void check_side_by_side(unsigned threads, std::span<const SideCheck> checks, core::FindingSink& sink) {
  std::vector<core::HeldSink> held(checks.size(), core::HeldSink(sink));
  core::run_parallel(threads, checks.size(), [&](std::size_t i) { checks[i](held[i]); });
  for (core::HeldSink& findings : held) findings.flush();
}

}  // namespace heapcheck::validation
