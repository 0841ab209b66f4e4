// Walks the events of a trace, front to back, and gives the values that matter for heap dumps to the
// payload readers. In: a window at the trace's first byte; a trace is an object with a member
// `traceEvents`, or a bare array. Out: one event a call, the container, findings about either.
// Borrows window, limits, readers and sink. Memory: one event's short texts, and `args.dumps` where
// that is a string. spec: chrome/trace.md
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/chrome/container.hpp"
#include "formats/chrome/event.hpp"
#include "formats/chrome/event_findings.hpp"
#include "formats/chrome/payload.hpp"
#include "formats/chrome/plain_event.hpp"
#include "formats/core/json/reader.hpp"
#include "formats/core/window.hpp"

namespace heapcheck::chrome {

class Walker {
 public:
  Walker(core::Window& window, const core::Limits& limits, std::span<PayloadReader* const> readers,
         core::FindingSink& sink);

  /// Walks the next event, passing over those whose phase has no payloads; false where there is none, at
  /// the trace's end or where it cannot be read on.
  bool read_event();

  /// A value of the last event that a reader read, and its event keeps.
  struct Member {
    Payload payload;
    core::Span span;         ///< from the key's quote to the value's end
    bool in_string = false;  ///< the spans count in the text of `args.dumps`
  };

  [[nodiscard]] const EventHead& head() const { return head_; }
  [[nodiscard]] const std::vector<Member>& members() const { return members_; }
  /// Where the event before the last one ended, or the array's bracket; at the trace's end, where the last
  /// event ended.
  [[nodiscard]] std::uint64_t gap_begin() const { return gap_begin_; }
  /// Where `args.dumps` of the last event stands, if that is a string, and its text.
  [[nodiscard]] const std::optional<core::Span>& dumps_string() const { return dumps_string_; }
  [[nodiscard]] const std::string& dumps_text() const { return dumps_text_; }
  [[nodiscard]] const Container& container() const { return container_; }

 private:
  enum class State : std::uint8_t { start, events, done };

  bool start();
  bool find_events();
  bool enter_events();
  bool end_events();
  bool finish();
  bool stop_at_error();
  bool report_failure();
  bool accept_open_end();

  void walk_event();
  void walk_member(std::string_view key);
  void walk_args();
  void walk_dumps();
  void walk_dumps_members(core::JsonReader& json);
  void walk_dumps_text();
  void offer(Payload payload, core::JsonReader& json, std::string_view path);
  void finish_event();
  [[nodiscard]] bool check_head();
  [[nodiscard]] std::string event_path() const;

  core::Window* window_;
  const core::Limits* limits_;
  std::vector<PayloadReader*> readers_;
  core::FindingSink* sink_;
  EventFindings findings_;
  core::JsonReader json_;
  PlainRun plain_run_;
  State state_ = State::start;
  Container container_;
  EventHead head_;
  std::vector<Member> members_;
  unsigned seen_ = 0;                       // members of the event, a bit each
  std::optional<core::Span> dumps_string_;  // of the event, where `args.dumps` is a string
  std::string dumps_text_;                  // what that string holds
  std::uint64_t gap_begin_ = 0;
};

}  // namespace heapcheck::chrome
