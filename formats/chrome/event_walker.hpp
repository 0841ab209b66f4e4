// Walks one event of a trace: gives the values that matter for heap dumps to the payload readers, and tells
// them at its end whether they count. Borrows the JSON reader, readers and sink. Memory: the event's
// short texts, and `args.dumps` where that is a string. spec: chrome/trace.md#events
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/chrome/event.hpp"
#include "formats/chrome/event_findings.hpp"
#include "formats/chrome/payload.hpp"
#include "formats/core/json/reader.hpp"
#include "heapcheck/limits.hpp"

namespace heapcheck::chrome {

/// The letters that are phases of events with payloads.
inline constexpr std::string_view payload_phases = "vMP";

class EventWalker {
 public:
  EventWalker(core::JsonReader& json, const Limits& limits, std::span<PayloadReader* const> readers,
              core::FindingSink& sink);

  /// Walks the event whose opening brace is the reader's token, to its closing one; false where the JSON is
  /// broken in it, and what was read of it forgotten.
  bool walk(std::uint64_t index, std::string path);

  /// A value that a reader read, and that counts.
  struct Member {
    Payload payload;
    Span span;               ///< from the key's quote to the value's end
    bool in_string = false;  ///< the span counts in the text of `args.dumps`
  };

  [[nodiscard]] const EventHead& head() const { return head_; }
  [[nodiscard]] const std::vector<Member>& members() const { return members_; }
  /// Whether the event's values reached a limit.
  [[nodiscard]] bool reached_limit() const { return reached_limit_; }
  /// Where `args.dumps` stands, if that is a string, and its text.
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
  unsigned seen_ = 0;                 // members of the event, a bit each
  std::optional<Span> dumps_string_;  // where `args.dumps` is a string
  std::string dumps_text_;            // what that string holds
  bool reached_limit_ = false;
};

}  // namespace heapcheck::chrome
