// Rules about the stack frames and types of a process.
#pragma once

#include "validate/chrome/legacy/view.hpp"

namespace heapcheck::validation::chrome::legacy {

void check_frames(const ProcessView& view, core::FindingSink& sink);
void check_types(const ProcessView& view, core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome::legacy
