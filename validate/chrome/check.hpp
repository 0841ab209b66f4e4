// Checks a Chrome trace: reads it and applies the rules of the heap dumps in it. Memory is the columns of
// all dumps, because the names of stack frames may stand behind them.
#pragma once

#include "formats/core/finding.hpp"
#include "formats/core/limits.hpp"
#include "formats/core/rule.hpp"
#include "formats/core/window.hpp"
#include "formats/registry.hpp"

namespace heapcheck::validate::chrome {

namespace rules {

inline constexpr core::Rule dumps_none{
    "trace.dumps.none",
    core::Severity::note,
    core::Stage::check,
    "a trace that is checked holds a heap dump",
    "Most traces hold none; one that should needs memory-infra, and a detailed dump.",
    "chrome/trace.md#dumps",
    "0.1"};

}  // namespace rules

struct Outcome {
  formats::Format format;   ///< of the heap dumps that the trace holds
  bool is_foreign = false;  ///< whether nothing in the document is of a trace
};

/// `window` stands at the file's first byte.
Outcome check(core::Window& window, const core::Limits& limits, core::FindingSink& sink);

}  // namespace heapcheck::validate::chrome
