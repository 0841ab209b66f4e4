// What must hold of a trace beside its heap dumps.
#pragma once

#include <array>

#include "heapcheck/finding.hpp"

namespace heapcheck::validation::chrome::rules {

// One line a member, however long.
// clang-format off
inline constexpr Rule dumps_none{
    .id = "trace.dumps.none", .severity = Severity::note, .stage = Stage::check,
    .title = "a trace that is checked holds a heap dump",
    .reason = "Most traces hold none; one that should needs memory-infra, and a detailed dump.",
    .anchor = "chrome/trace.md#dumps", .since = "0.1"};
inline constexpr std::array all{&dumps_none};
// clang-format on

}  // namespace heapcheck::validation::chrome::rules
