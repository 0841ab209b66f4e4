// Walks one event of a trace. Passes the values that matter for heap dumps to the payload readers and, at the
// end of the event, tells the readers whether to keep these values. Borrows the JSON reader, the payload
// readers and the sink. Keeps the event's short strings in memory, as well as `args.dumps` if that is a
// string. spec: chrome/trace.md#events
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/chrome/container.hpp"
#include "formats/chrome/event_findings.hpp"
#include "formats/chrome/other_dumps.hpp"
#include "formats/chrome/payload.hpp"
#include "formats/core/json/reader.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::chrome {

/// The phases of events that can have payloads, one letter each.
inline constexpr std::string_view payload_phases = "vMP";
/// The phases of events that are walked: in addition, the one of heap dumps that are only counted.
inline constexpr std::string_view walked_phases = "vMPO";
static_assert(walked_phases.starts_with(payload_phases) && walked_phases.ends_with(tcmalloc_phase));

class EventWalker {
 public:
  EventWalker(core::JsonReader& json, const Limits& limits, std::span<PayloadReader* const> readers,
              core::FindingSink& sink);

  /// Walks the event from its opening brace, which is the reader's current token, to its closing brace. If
  /// the event's JSON is broken, drops everything that was read from the event and returns false.
  bool walk(std::uint64_t index, std::string path);

  /// A value that was read by a payload reader.
  struct Member {
    Payload payload;
    Span span;               ///< from the key's opening quote to the end of the value
    bool in_string = false;  ///< whether `span` refers to the decoded text of `args.dumps`
  };

  [[nodiscard]] const EventHead& head() const { return head_; }
  [[nodiscard]] const std::vector<Member>& members() const { return members_; }
  /// Whether reading the event's values reached a limit.
  [[nodiscard]] bool reached_limit() const { return reached_limit_; }
  /// The span of `args.dumps` if it is a string, and its decoded text.
  [[nodiscard]] const std::optional<Span>& dumps_string() const { return dumps_string_; }
  [[nodiscard]] const std::string& dumps_text() const { return dumps_text_; }

 private:
  void walk_member(std::string_view key);
  void walk_args();
  void walk_dumps();
  void walk_dumps_members(core::JsonReader& json);
  void walk_dumps_text();
  void offer(Payload payload, core::JsonReader& json, std::string_view path);
  void finish();
  void forget();
  void forget_strange();
  [[nodiscard]] bool check_head();
  void report_phase(const Member& member);
  void report_duplicate(std::string_view member);

  core::JsonReader* json_;
  Limits limits_;
  std::vector<PayloadReader*> readers_;
  core::FindingSink* sink_;
  EventFindings findings_;
  EventHead head_;
  std::string path_;
  std::vector<Member> members_;
  unsigned seen_ = 0;                 // the members of the event, one bit each
  std::optional<Span> dumps_string_;  // set if `args.dumps` is a string
  std::string dumps_text_;            // the decoded text of that string
  bool reached_limit_ = false;
};

}  // namespace heapcheck::chrome
