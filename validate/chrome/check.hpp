// Checks a Chrome trace: reads it and applies the rules of the heap dumps in it. Memory is the columns of
// all dumps, because the names of stack frames may stand behind them.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/detect.hpp"
#include "heapcheck/finding.hpp"
#include "heapcheck/limits.hpp"

namespace heapcheck::validation::chrome {

namespace rules {

inline constexpr Rule dumps_none{
    "trace.dumps.none",
    Severity::note,
    Stage::check,
    "a trace that is checked holds a heap dump",
    "Most traces hold none; one that should needs memory-infra, and a detailed dump.",
    "chrome/trace.md#dumps",
    "0.1"};

}  // namespace rules

struct Outcome {
  Format format;            ///< of the heap dumps that the trace holds
  bool is_foreign = false;  ///< whether nothing in the document is of a trace
};

/// `window` stands at the file's first byte.
Outcome check(core::Window& window, const Limits& limits, core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome
