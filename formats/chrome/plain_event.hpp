// Tells most of a trace's events from the few that can matter for heap dumps, by their bytes alone.
#pragma once

#include "formats/core/bytes.hpp"

namespace heapcheck::chrome {

/// Phases of the events that have payloads, see walker.cpp.
inline constexpr char payload_phases[] = {'v', 'M', 'P'};

/// Whether no string of the event whose JSON is `bytes` can be one of the payload_phases: none stands
/// there between quotes, and no letter is escaped.
[[nodiscard]] bool is_plain_event(core::ByteSpan bytes);

}  // namespace heapcheck::chrome
