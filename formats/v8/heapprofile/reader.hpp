// Reads a V8 sampling heap profile through a window: bytes to model and container. Members may come in
// any order; nesting costs a few bytes a level and no stack. Reports what breaks the grammar.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/v8/heapprofile/container.hpp"
#include "formats/v8/heapprofile/model.hpp"
#include "heapcheck/limits.hpp"

namespace heapcheck::v8::heapprofile {

struct Reading {
  Profile profile;
  ProfileContainer container;
};

/// Reads from the window's place to the end of the document, or to what cannot be read on: an error of
/// JSON or a limit. What was read until then stays; where JSON is wrong, findings of the element that was
/// being read are left out.
Reading read_profile(core::Window& window, const Limits& limits, core::FindingSink& sink);

}  // namespace heapcheck::v8::heapprofile
