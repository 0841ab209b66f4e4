// What surrounds the events of a trace. The walker fills it in. Owns its text.
#pragma once

#include <cstdint>
#include <string>

#include "formats/core/bytes.hpp"

namespace heapcheck::chrome {

struct TraceContainer {
  /// Whether the document is an object with a member `traceEvents`, or else an array of events.
  bool is_object = false;
  /// Whether there was an array of events.
  bool has_events = false;
  /// From the array's opening bracket to its closing one, both included; to the last event if that is
  /// missing.
  Span events;
  std::uint64_t event_count = 0;
  /// Whether the document was read to its end, without a grammar error and without reaching a limit.
  bool is_complete = false;
  /// Whether an array of events lacks its closing bracket. spec: chrome/trace.md#unclosed
  bool is_unclosed = false;
  /// Whether it was read as far as possible and nothing in it belongs to a trace: neither a member
  /// `traceEvents` nor an event with a phase or a heap dump.
  bool is_foreign = false;
  /// `metadata.trace-config`, which is JSON; empty if absent.
  std::string config;

  friend bool operator==(const TraceContainer&, const TraceContainer&) = default;
};

}  // namespace heapcheck::chrome
