#include "recover/chrome/intact_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "formats/core/json/faults.hpp"
#include "formats/core/json/input.hpp"
#include "formats/core/json/reader.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::recovery::chrome {
namespace {

/// The members of the trace object at which reading can resume after a damaged member.
constexpr std::array<std::string_view, 9> known_members{
    "traceEvents",       "displayTimeUnit",  "metadata",
    "otherData",         "samples",          "stackFrames",
    "systemTraceEvents", "traceAnnotations", "controllerTraceDataKey"};
constexpr std::size_t member_window = 128;  // a comma, a name and a colon, with white space

std::string_view skip_space(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

/// The rest of `text` after optional white space and `mark`; empty if `mark` is not there.
std::string_view skip_mark(std::string_view text, char mark) {
  text = skip_space(text);
  return text.starts_with(mark) ? text.substr(1) : std::string_view();
}

/// Returns whether `text` begins with `name`, a closing quote and a colon.
bool begins_with_name(std::string_view text, std::string_view name) {
  if (!text.starts_with(name)) return false;
  return skip_space(skip_mark(text.substr(name.size()), '"')).starts_with(':');
}

/// Returns whether `text` begins with the name of a known member and a colon.
bool begins_with_member(std::string_view text) {
  const std::string_view name = skip_mark(text, '"');
  return std::ranges::any_of(known_members,
                             [name](std::string_view member) { return begins_with_name(name, member); });
}

class PartFinder {
 public:
  PartFinder(core::Window& window, const Limits& limits, const LeftOutEvents& unwanted, bool is_nested)
      : window_(&window), limits_(limits), unwanted_(&unwanted), is_nested_(is_nested) {}

  Result<IntactParts> find() {
    (void)core::json::skip_byte_order_mark(*window_);
    core::json::skip_space(*window_);
    const bool is_closed = front() == "[" ? walk_events() : front() == "{" && walk_object();
    if (is_closed) keep_space();
    parts_.lost_bytes = window_->skip(UINT64_MAX);
    if (error_) return std::unexpected(*error_);
    parts_.pieces = pieces_.take();
    return std::move(parts_);
  }

 private:
  /// The next byte; empty at the end of the input.
  std::string_view front() { return core::as_text(window_->look(1)); }

  void open() {
    window_->consume(1);
    pieces_.extend(window_->offset());
    pieces_.enter();
    has_comma_ = true;
    is_first_ = true;
  }

  /// Keeps the closing bracket, or adds one if the array or object ends without it. Returns whether there was
  /// one.
  bool close(std::string_view bracket) {
    const bool is_closed = front() == bracket;
    if (is_closed) {
      if (has_comma_ && !is_first_) change_commas();
      pieces_.close(window_->offset());
      window_->consume(1);
    } else {
      pieces_.add_bracket(bracket == "}");
      parts_.is_cut = parts_.is_cut || bracket == "}";
      ++parts_.punctuation_changes;
    }
    has_comma_ = is_first_ = false;
    return is_closed;
  }

  /// Keeps the white space at the end of the document.
  void keep_space() {
    core::json::skip_space(*window_);
    pieces_.extend(window_->offset());
  }

  /// Leaves out the commas before the next kept item. The item gets a new comma if it needs one.
  void change_commas() {
    pieces_.leave_gap();
    ++parts_.punctuation_changes;
  }

  /// Moves to the next item, after the comma before it. Returns false at the closing bracket or at the end.
  bool find_item(std::string_view closing) {
    for (core::json::skip_space(*window_); front() == ","; core::json::skip_space(*window_)) {
      if (has_comma_) change_commas();
      has_comma_ = true;
      window_->consume(1);
    }
    if (front().empty() || front() == closing) return false;
    if (!has_comma_) change_commas();
    has_comma_ = is_first_ = false;
    return !error_;
  }

  /// Walks the array of events from its opening bracket to its closing bracket. Returns whether it has a
  /// closing bracket.
  bool walk_events() {
    open();
    while (find_item("]")) walk_event();
    return close("]");
  }

  void walk_event() {
    const std::uint64_t begin = window_->offset();
    core::JsonReader json(*window_, limits_, core::make_json_options(limits_));
    const core::JsonToken token = json.skip_value();
    if (token == core::JsonToken::error) return skip_damage(begin, *json.error());
    json.release();
    if (token == core::JsonToken::object_begin) return keep_event(json.span());
    leave_out_damaged(fmt::format("the event is {}, expected an object", core::describe_token(token)));
  }

  void keep_event(Span span) {
    const std::uint64_t index = event_count_++;
    if (unwanted_->contains(index)) return leave_out(index);
    pieces_.keep(span);
    ++parts_.kept_events;
    take_memory();
  }

  void leave_out(std::uint64_t index) {
    pieces_.leave_gap();
    parts_.left_out.push_back(index);
    take_memory();
  }

  /// Leaves out an event that is not well-formed or not an object.
  void leave_out_damaged(std::string reason) {
    const std::uint64_t index = event_count_++;
    leave_out(index);
    if (parts_.damaged.size() == max_described) return;
    parts_.damaged.emplace(index,
                           LeftOut{.what = fmt::format("event {}", index), .reason = std::move(reason)});
  }

  std::string describe(const core::JsonError& error) {
    if (window_->error()) return window_->error()->message;
    return error.kind == core::JsonErrorKind::truncated ? "the trace ends inside it" : error.message;
  }

  /// Leaves out the damaged event that begins at `begin`, and everything up to the next event.
  void skip_damage(std::uint64_t begin, const core::JsonError& error) {
    if (reached_limit(error)) return;
    const bool is_end = error.kind == core::JsonErrorKind::truncated;
    while (find_object() && !read_if_event()) {
    }
    std::string reason = describe(error);
    const auto next = std::exchange(next_event_, std::nullopt);
    if (next)
      reason += fmt::format("; the {} up to the next event are left out and may contain more events",
                            core::counted(next->offset - begin, "byte"));
    if (!next && !is_end) reason += "; no event was found after it";
    if (!next) parts_.is_cut = true;
    leave_out_damaged(std::move(reason));
    if (next) keep_event(*next);
  }

  /// Moves to the next opening brace.
  bool find_object() {
    while (!window_->at_end()) {
      const std::string_view text = core::as_text(window_->peek(1));
      const std::size_t place = std::min(text.find('{'), text.size());
      const bool is_found = place != text.size();
      window_->consume(place);
      if (is_found) return true;
    }
    return false;
  }

  /// Reads an object. Returns whether it is whole and has a phase, as every event does. Other objects are
  /// part of the damaged event.
  bool read_if_event() {
    core::JsonReader json(*window_, limits_, core::make_json_options(limits_));
    const std::uint64_t offset = window_->offset();
    bool has_phase = false;
    json.next();
    while (json.next() == core::JsonToken::key) {
      has_phase = has_phase || json.text() == "ph";
      json.skip_value();
    }
    json.release();
    if (json.token() == core::JsonToken::error || !has_phase) return false;
    next_event_ = {offset, window_->offset() - offset};
    return true;
  }

  /// Walks the object around the events from its opening brace to its closing brace. Returns whether it has a
  /// closing brace.
  bool walk_object() {
    open();
    do {
      while (find_item("}") && (walk_member() || find_member())) {
      }
    } while (front() == "}" && is_early_brace() && skip_brace());
    return close("}");
  }

  /// Returns whether the closing brace belongs to a damaged member, because another member follows or because
  /// there have been no events yet.
  bool is_early_brace() {
    const std::string_view after = core::as_text(window_->look(member_window)).substr(1);
    const bool has_damage = !parts_.lost_members.empty();
    return !error_ && (begins_with_member(skip_mark(after, ',')) || (has_damage && !has_events_));
  }

  bool skip_brace() {
    change_commas();
    return find_member();
  }

  /// Returns whether the next bytes are `traceEvents":[`, because an unterminated string consumed the opening
  /// quote.
  bool is_open_name() {
    const std::string_view text = core::as_text(window_->look(member_window));
    if (has_events_ || !begins_with_name(text, known_members[0])) return false;
    return skip_space(text.substr(text.find(':') + 1)).starts_with('[');
  }

  /// Moves to the next known member after damage.
  bool find_member() {
    pieces_.leave_gap();
    has_comma_ = true;
    if (!error_ && is_open_name()) return true;
    while (!error_ && !window_->at_end()) {
      const std::string_view text = core::as_text(window_->peek(1));
      const std::size_t place = std::min(text.find('"'), text.size());
      const bool is_quote = place != text.size();
      window_->consume(place);
      if (!is_quote) continue;
      if (begins_with_member(core::as_text(window_->look(member_window)))) return true;
      window_->consume(1);
    }
    return false;
  }

  /// Returns whether the member is well-formed.
  bool walk_member() {
    const std::uint64_t offset = window_->offset();
    if (is_open_name()) {
      window_->consume(known_members[0].size() + 1);
      core::json::skip_space(*window_);
      pieces_.add_quote(offset);
      return walk_after_name(offset, known_members[0]);
    }
    core::JsonReader json(*window_, limits_, core::make_json_options(limits_));
    if (json.next() == core::JsonToken::error) return lose_member("a member", *json.error());
    const std::string key(json.text());
    json.release();
    core::json::skip_space(*window_);
    if (json.token() != core::JsonToken::string || front() != ":") {
      lose_member(key, "it is not a name with a colon");
      return false;
    }
    return walk_after_name(offset, key);
  }

  /// Walks the value of a member that begins at `offset`, starting from the colon.
  bool walk_after_name(std::uint64_t offset, std::string_view key) {
    window_->consume(1);
    core::json::skip_space(*window_);
    if (key != "traceEvents" || front() != "[" || has_events_) return walk_value(offset, key);
    has_events_ = true;
    pieces_.keep({offset, window_->offset() - offset});
    (void)walk_events();
    return true;
  }

  bool walk_value(std::uint64_t offset, std::string_view key) {
    core::JsonReader json(*window_, limits_, {.max_text = member_window});
    if (is_nested_ && !has_events_ && find_events(json)) {
      const std::uint64_t events = json.span().offset;
      lose_member(key, "it has no end before the member `traceEvents`");
      return walk_after_name(events, "traceEvents");
    }
    if (!is_nested_ || has_events_) json.skip_value();
    if (json.token() == core::JsonToken::error) return lose_member(key, *json.error());
    json.release();
    if (key == "traceEvents" && has_events_) {
      lose_member(key, "the trace has a second one, expected one");
    } else {
      pieces_.keep({offset, window_->offset() - offset});
    }
    return true;
  }

  /// Reads a value. If there is a `traceEvents` array inside it, a bracket before this array was lost, so
  /// reading stops at the array's colon. Returns whether there is such an array.
  bool find_events(core::JsonReader& json) {
    for (json.next(); json.depth() != 0 && json.token() != core::JsonToken::error; json.next()) {
      if (json.token() != core::JsonToken::key || json.text() != "traceEvents") continue;
      json.release();
      core::json::skip_space(*window_);
      const std::string_view after = skip_mark(core::as_text(window_->look(member_window)), ':');
      if (skip_space(after).starts_with('[')) return true;
    }
    return false;
  }

  bool lose_member(std::string_view key, const core::JsonError& error) {
    if (!reached_limit(error)) lose_member(key, describe(error));
    return false;
  }
  void lose_member(std::string_view key, std::string_view reason) {
    parts_.lost_members.push_back({.what = core::make_excerpt(key), .reason = std::string(reason)});
    pieces_.leave_gap();
    take_memory();
  }

  bool reached_limit(const core::JsonError& error) {
    if (core::rule_of(error.kind).stage != Stage::limit) return false;
    error_ = Error{ErrorKind::limit, error.message};
    return true;
  }

  /// Checks that the lists of parts do not use too much memory.
  void take_memory() {
    constexpr std::uint64_t bytes_per_member = 256;
    const std::uint64_t bytes = pieces_.count() * sizeof(Piece) +
                                parts_.left_out.size() * sizeof(std::uint64_t) +
                                parts_.lost_members.size() * bytes_per_member;
    if (bytes > limits_.max_memory)
      error_ = Error{ErrorKind::limit, "has more damaged parts than the memory limit allows"};
  }

  core::Window* window_;
  Limits limits_;
  const LeftOutEvents* unwanted_;
  bool is_nested_;
  PieceList pieces_;
  IntactParts parts_;
  std::optional<Error> error_;
  std::uint64_t event_count_ = 0;
  std::optional<Span> next_event_;  // an event that was found after a damaged one
  bool has_events_ = false;         // whether the object has an array of events
  bool has_comma_ = false;          // whether the next item has the comma that it needs
  bool is_first_ = false;           // whether no item has been found in the array or object
};

}  // namespace

Result<IntactParts> find_intact_parts(core::Window& window, const Limits& limits,
                                      const LeftOutEvents& unwanted, bool is_nested) {
  return PartFinder(window, limits, unwanted, is_nested).find();
}

}  // namespace heapcheck::recovery::chrome
