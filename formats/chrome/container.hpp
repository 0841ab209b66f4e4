// The parts of a trace that are not heap dumps: the JSON around its events, the members that describe an
// event apart from its payload, and the configuration. Filled in by the walker. Owns its strings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/core/bytes.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::chrome {

struct TraceContainer {
  /// True if the document is an object, false if it is an array of events.
  bool is_object = false;
  /// Whether there was an array of events.
  bool has_events = false;
  /// From the array's opening bracket to its closing bracket, inclusive. If the closing bracket is missing,
  /// the span ends at the last event.
  Span events;
  std::uint64_t event_count = 0;
  /// Whether the document was read to the end without a grammar error and without reaching a limit.
  bool is_complete = false;
  /// Whether an array of events lacks its closing bracket. spec: chrome/trace.md#unclosed
  bool is_unclosed = false;
  /// Whether the document was read as far as possible and nothing in it belongs to a trace: it has neither a
  /// `traceEvents` member nor an event with a phase or a heap dump.
  bool is_foreign = false;
  /// `metadata.trace-config`, which is JSON; empty if absent.
  std::string config;

  friend bool operator==(const TraceContainer&, const TraceContainer&) = default;
};

/// The members of an event other than its payloads. Absent members remain empty. spec: chrome/trace.md#events
struct EventHead {
  std::uint64_t index = 0;          ///< its index among the events of the trace
  Span span;                        ///< the span of the event's object, including braces
  std::string phase;                ///< `ph`
  std::string name;                 ///< `name`
  std::string category;             ///< `cat`
  std::string id;                   ///< `id`, which identifies the memory dump that the event is part of
  std::string timestamp;            ///< `ts` as written, in microseconds
  std::optional<std::int64_t> pid;  ///< if it is an integer
  std::optional<std::int64_t> tid;  ///< if it is an integer
  std::string level_of_detail;      ///< `args.dumps.level_of_detail`
  bool has_dumps = false;           ///< whether there is an object `args.dumps`, possibly in a string

  friend bool operator==(const EventHead&, const EventHead&) = default;
};

/// The size in bytes below which the writer of legacy heaps left out entries. It is stored under the keys
/// `memory_dump_config`, `heap_profiler_options` and `breakdown_threshold_bytes`. Empty if the configuration
/// does not state it. spec: chrome/trace.md#configuration
std::optional<std::uint64_t> find_breakdown_threshold(std::string_view config, const Limits& limits);

}  // namespace heapcheck::chrome
