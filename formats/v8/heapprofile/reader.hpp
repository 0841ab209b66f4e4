// Reads a V8 sampling heap profile through a window into a model and a container. Members may be in any
// order. Each level of nesting takes a few bytes of memory but no stack space. Reports violations of the
// grammar.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/v8/heapprofile/container.hpp"
#include "formats/v8/heapprofile/model.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::v8::heapprofile {

struct Reading {
  Profile profile;
  ProfileContainer container;
};

/// Reads from the window's offset to the end of the document or until it is stopped by a JSON error or a
/// limit. The content up to that point is kept. After a JSON error, findings about the element that was being
/// read are left out.
Reading read_profile(core::Window& window, const Limits& limits, core::FindingSink& sink);

}  // namespace heapcheck::v8::heapprofile
