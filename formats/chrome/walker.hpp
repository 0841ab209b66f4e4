// Walks the events of a trace from front to back and passes the values that matter for heap dumps to the
// payload readers. The input is a window at the first byte of the trace, which is either a bare array or an
// object with a `traceEvents` member. The output consists of one event per call, the container, and findings
// about both. Borrows the window, the readers and the sink. spec: chrome/trace.md
#pragma once

#include <span>
#include <string>

#include "formats/chrome/container.hpp"
#include "formats/chrome/event_walker.hpp"
#include "formats/chrome/payload.hpp"
#include "formats/core/json/reader.hpp"
#include "formats/core/window.hpp"

namespace heapcheck::chrome {

class Walker {
 public:
  Walker(core::Window& window, const Limits& limits, std::span<PayloadReader* const> readers,
         core::FindingSink& sink);

  /// Walks the next event. After the first event, skips events whose phase no heap dump has. Returns false if
  /// there are no more events, or if the trace cannot be read any further.
  bool read_event();

  /// The last event that was walked.
  [[nodiscard]] const EventWalker& event() const { return event_; }
  /// The offset at which the event before the last event ends, or at which the array's opening bracket ends
  /// if there is no such event. At the end of the trace, this is where the last event ends.
  [[nodiscard]] std::uint64_t gap_begin() const { return gap_begin_; }
  [[nodiscard]] const TraceContainer& container() const { return container_; }

 private:
  enum class State : std::uint8_t { start, events, done };

  bool start();
  bool find_events();
  void walk_metadata();
  bool enter_events();
  void skip_plain_events();
  bool walk_event(std::uint64_t index);
  bool end_events();
  bool finish();
  bool stop_at_error(std::string path);
  bool report_failure();
  bool accept_open_end();
  [[nodiscard]] std::string path_of(std::uint64_t event) const;

  core::Window* window_;
  core::FindingSink* sink_;
  core::JsonReader json_;
  EventWalker event_;
  State state_ = State::start;
  TraceContainer container_;
  std::uint64_t gap_begin_ = 0;
  bool shows_trace_ = false;  // whether a `traceEvents` member, or an event with a phase or a payload, was
                              // found
};

}  // namespace heapcheck::chrome
