// Repeats a check with all wide instructions that the processor supports.
#pragma once

#include "formats/core/hot_loop.hpp"

namespace heapcheck::fuzz {

/// Calls `check` once without wide instructions and once with each kind that the processor supports.
template <class Check>
void with_all_lanes(const Check& check) {
  const core::Lanes widest = core::find_widest_lanes();
  for (const core::Lanes lanes : {core::Lanes::none, core::Lanes::avx2, core::Lanes::avx512}) {
    if (lanes > widest) break;
    core::use_lanes(lanes);
    check();
  }
}

}  // namespace heapcheck::fuzz
