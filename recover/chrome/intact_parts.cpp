#include "recover/chrome/intact_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "formats/core/excerpt.hpp"
#include "formats/core/json/faults.hpp"
#include "formats/core/json/input.hpp"
#include "formats/core/json/reader.hpp"

namespace heapcheck::recovery::chrome {
namespace {

class PartFinder {
 public:
  PartFinder(core::Window& window, const Limits& limits, const LeftOutEvents& unwanted)
      : window_(&window), limits_(limits), unwanted_(&unwanted) {}

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

  /// Keeps the closing bracket, or adds it if the array or object ends without one. Returns whether it has
  /// one.
  bool close(std::string_view bracket) {
    const bool is_closed = front() == bracket;
    if (is_closed) {
      if (has_comma_ && !is_first_) change_commas();
      pieces_.close(window_->offset());
      window_->consume(1);
    } else {
      pieces_.add_bracket(bracket == "}");
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

  /// Leaves out the commas before the next kept item, which gets a new one if it needs one.
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

  /// Walks the array of events, from its opening to its closing bracket. Returns whether it has one.
  bool walk_events() {
    open();
    while (find_item("]")) walk_event();
    return close("]");
  }

  void walk_event() {
    core::JsonReader json(*window_, limits_, core::make_json_options(limits_));
    const core::JsonToken token = json.skip_value();
    if (token == core::JsonToken::error) return skip_damage(*json.error());
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

  /// Leaves out the damaged event, and everything up to the next event.
  void skip_damage(const core::JsonError& error) {
    if (reached_limit(error)) return;
    const bool is_end = error.kind == core::JsonErrorKind::truncated;
    while (find_object() && !read_if_event()) {
    }
    const bool is_rest = !is_end && window_->at_end() && !next_event_;
    leave_out_damaged(describe(error) + (is_rest ? "; no event was found after it" : ""));
    if (const auto next = std::exchange(next_event_, std::nullopt)) keep_event(*next);
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

  /// Reads an object. Returns whether it is whole and has a phase, as every event has; other objects are part
  /// of the damaged event.
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

  /// Walks the object around the events, from its opening to its closing brace. Returns whether it has one.
  bool walk_object() {
    open();
    while (find_item("}")) {
      if (!walk_member()) break;
    }
    return close("}");
  }

  /// Returns whether the member is well-formed. Nothing is kept after a member that is not.
  bool walk_member() {
    const std::uint64_t offset = window_->offset();
    core::JsonReader json(*window_, limits_, core::make_json_options(limits_));
    if (json.next() == core::JsonToken::error) return lose_member("a member", *json.error());
    const std::string key(json.text());
    json.release();
    core::json::skip_space(*window_);
    if (json.token() != core::JsonToken::string || front() != ":") {
      pieces_.leave_gap();
      return false;
    }
    window_->consume(1);
    core::json::skip_space(*window_);
    if (key != "traceEvents" || front() != "[") return walk_value(offset, key);
    if (has_events_) return walk_value(offset, key);
    has_events_ = true;
    pieces_.keep({offset, window_->offset() - offset});
    (void)walk_events();
    return true;
  }

  /// Walks the value of a member that begins at `offset`.
  bool walk_value(std::uint64_t offset, std::string_view key) {
    core::JsonReader json(*window_, limits_, core::make_json_options(limits_));
    if (json.skip_value() == core::JsonToken::error) return lose_member(key, *json.error());
    json.release();
    if (key == "traceEvents" && has_events_) {
      lose_member(key, "the trace has a second one, expected one");
    } else {
      pieces_.keep({offset, window_->offset() - offset});
    }
    return true;
  }

  bool lose_member(std::string_view key, const core::JsonError& error) {
    if (!reached_limit(error)) lose_member(key, describe(error));
    return false;
  }
  void lose_member(std::string_view key, std::string_view reason) {
    parts_.lost_members.push_back(fmt::format("{}: {}", core::make_excerpt(key), reason));
    pieces_.leave_gap();
    take_memory();
  }

  bool reached_limit(const core::JsonError& error) {
    if (core::rule_of(error.kind).stage != Stage::limit) return false;
    error_ = Error{ErrorKind::limit, error.message};
    return true;
  }

  /// Checks that the lists of parts do not take up too much memory.
  void take_memory() {
    constexpr std::uint64_t bytes_per_member = 256;
    const std::uint64_t bytes = pieces_.count() * sizeof(Piece) +
                                parts_.left_out.size() * sizeof(std::uint64_t) +
                                parts_.lost_members.size() * bytes_per_member;
    if (bytes > limits_.max_memory)
      error_ = Error{ErrorKind::limit, "has more damaged parts than the limit of memory allows"};
  }

  core::Window* window_;
  Limits limits_;
  const LeftOutEvents* unwanted_;
  PieceList pieces_;
  IntactParts parts_;
  std::optional<Error> error_;
  std::uint64_t event_count_ = 0;
  std::optional<Span> next_event_;  // found after a damaged one
  bool has_events_ = false;         // the object has an array of events
  bool has_comma_ = false;          // the next item has the comma that it needs
  bool is_first_ = false;           // no item was found in the array or object
};

}  // namespace

Result<IntactParts> find_intact_parts(core::Window& window, const Limits& limits,
                                      const LeftOutEvents& unwanted) {
  return PartFinder(window, limits, unwanted).find();
}

}  // namespace heapcheck::recovery::chrome
