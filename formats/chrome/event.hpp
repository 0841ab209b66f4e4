// The members that describe an event of a trace, whatever its payload. Owns its strings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "formats/core/bytes.hpp"

namespace heapcheck::chrome {

/// The members of an event other than its payloads; absent ones stay empty. spec: chrome/trace.md#events
struct EventHead {
  std::uint64_t index = 0;          ///< among the events of the trace
  Span span;                        ///< of the event's object, braces included
  std::string phase;                ///< `ph`
  std::string name;                 ///< `name`
  std::string category;             ///< `cat`
  std::string id;                   ///< `id`; identifies the memory dump that the event is part of
  std::string timestamp;            ///< `ts` as written, microseconds
  std::optional<std::int64_t> pid;  ///< if it is an integer
  std::optional<std::int64_t> tid;  ///< if it is an integer
  std::string level_of_detail;      ///< `args.dumps.level_of_detail`

  friend bool operator==(const EventHead&, const EventHead&) = default;
};

}  // namespace heapcheck::chrome
