// Rules for a trace as a whole.
#pragma once

#include <array>

#include "heapcheck/types/finding.hpp"

namespace heapcheck::validation::chrome::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule dumps_none{
    .id = "trace.dumps.none", .severity = Severity::note, .stage = Stage::check,
    .title = "the trace contains at least one heap dump",
    .reason = "Most traces contain none. If you expected one here, the wrong file was checked, or heap profiling was off when the trace was recorded. The `memory::Heap` events (phase O), which Chrome wrote in 2013, are not heap dumps in a supported form.",
    .example = "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"task\",\"pid\":1,\"ts\":0,\"dur\":5}]} has events, but no memory dump with heaps",
    .advice = "Record the trace with the category disabled-by-default-memory-infra and with heap profiling on, and let it run until a detailed dump is taken.",
    .anchor = "chrome/trace.md#dumps", .since = "0.1"};
inline constexpr std::array all{&dumps_none};
// clang-format on

}  // namespace heapcheck::validation::chrome::rules
