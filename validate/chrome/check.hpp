// Checks a Chrome trace: reads it and applies the rules of the heap dumps in it. Memory is the columns of
// all dumps, because the names of stack frames may stand behind them.
#pragma once

#include <array>

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/read_trace.hpp"
#include "heapcheck/finding.hpp"
#include "heapcheck/limits.hpp"

namespace heapcheck::validation::chrome::rules {

inline constexpr Rule dumps_none{
    .id = "trace.dumps.none",
    .severity = Severity::note,
    .stage = Stage::check,
    .title = "a trace that is checked holds a heap dump",
    .reason = "Most traces hold none; one that should needs memory-infra, and a detailed dump.",
    .anchor = "chrome/trace.md#dumps",
    .since = "0.1",
};

inline constexpr std::array trace_rules{&dumps_none};

}  // namespace heapcheck::validation::chrome::rules

namespace heapcheck::validation::chrome {

/// `window` stands at the file's first byte. Returns what was read.
formats::Trace check(core::Window& window, const Limits& limits, core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome
