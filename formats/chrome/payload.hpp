// The interface between a trace walker and the payload readers. The walker passes each value that matters for
// heap dumps to the reader for its format. The phase and pid of an event may come after its `args`, so a
// reader reads a value first and does not learn until the end of the event whether to keep it.
#pragma once

#include <cstdint>

#include "formats/chrome/container.hpp"
#include "formats/core/finding_sink.hpp"
#include "formats/core/json/place.hpp"
#include "formats/core/json/reader.hpp"

namespace heapcheck::chrome {

/// The values that payload readers can request. spec: chrome/trace.md#payloads
enum class Payload : std::uint8_t {
  heaps,           ///< `args.dumps.heaps` in an event of phase `v`
  heaps_v2,        ///< `args.dumps.heaps_v2` in an event of phase `v`
  allocators,      ///< `args.dumps.allocators` in an event of phase `v`
  stack_frames,    ///< `args.stackFrames` in a `stackFrames` event of phase `M`
  type_names,      ///< `args.typeNames` in a `typeNames` event of phase `M`
  heap_profile,    ///< `args.data` in a `heap_profile` event of phase `P`
  process_name,    ///< `args.name` in a `process_name` event of phase `M`
  process_mmaps,   ///< `args.dumps.process_mmaps` in an event of phase `v`
  process_totals,  ///< `args.dumps.process_totals` in an event of phase `v`
};

inline constexpr std::size_t payload_count = 9;

class PayloadReader {
 public:
  virtual ~PayloadReader() = default;
  [[nodiscard]] virtual bool reads(Payload payload) const = 0;

  /// Reads exactly the next value in `json`, which is at `place`, and holds the result back until
  /// finish_event(). Reports findings to `sink`. If the JSON itself is broken, returns with json.token() ==
  /// JsonToken::error and leaves the report to the walker.
  virtual void read(Payload payload, core::JsonReader& json, const core::JsonPlace& place,
                    core::FindingSink& sink) = 0;

  /// Drops the value of `payload` that was read from the current event, because the value is meaningless
  /// there.
  virtual void forget(Payload payload) = 0;

  /// Called at the end of the event. Keeps the values that were read from it if `is_kept` is true; otherwise,
  /// drops them.
  virtual void finish_event(const EventHead& head, bool is_kept, core::FindingSink& sink) = 0;
};

}  // namespace heapcheck::chrome
