// The parts of a trace around its events, filled in by the walker. Owns its strings.
#pragma once

#include <cstdint>
#include <string>

#include "formats/core/bytes.hpp"

namespace heapcheck::chrome {

struct TraceContainer {
  /// True if the document is an object, false if it is an array of events.
  bool is_object = false;
  /// Whether there was an array of events.
  bool has_events = false;
  /// From the array's opening bracket to its closing bracket, both included. If the closing bracket is
  /// missing, to the last event.
  Span events;
  std::uint64_t event_count = 0;
  /// Whether the document was read to its end, without a grammar error and without reaching a limit.
  bool is_complete = false;
  /// Whether an array of events lacks its closing bracket. spec: chrome/trace.md#unclosed
  bool is_unclosed = false;
  /// Whether the document was read as far as possible and nothing in it belongs to a trace: it has no member
  /// `traceEvents`, and no event with a phase or a heap dump.
  bool is_foreign = false;
  /// `metadata.trace-config`, which is JSON; empty if absent.
  std::string config;

  friend bool operator==(const TraceContainer&, const TraceContainer&) = default;
};

}  // namespace heapcheck::chrome
