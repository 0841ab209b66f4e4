// What the readers of the parts of a snapshot share: the JSON reader, the sink, and how much memory is left.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/core/finding_sink.hpp"
#include "formats/core/json/reader.hpp"
#include "formats/core/window.hpp"
#include "formats/v8/heapsnapshot/mark.hpp"
#include "heapcheck/limits.hpp"

namespace heapcheck::v8::heapsnapshot {

class Reading {
 public:
  Reading(core::Window& window, const Limits& limits, core::FindingSink& sink, bool keeps_marks = false);

  core::JsonReader json;

  void report(const Rule& rule, Span span, std::string path, std::string message);
  /// Whether findings of that rule are still to be described; else count() is enough.
  [[nodiscard]] bool wants(const Rule& rule) const { return sink_->wanted(rule) != 0; }
  void count(const Rule& rule);
  /// Whether a finding of that rule was reported.
  [[nodiscard]] bool has_reported(const Rule& rule) const;

  /// Counts bytes that columns take up. False, with a finding at `offset`, where that is more than the limit.
  bool charge(std::uint64_t byte_count, std::uint64_t offset, std::string_view path) {
    memory_ += byte_count;
    if (memory_ > max_memory_ && !is_full_) stop_at_limit(offset, path);
    return !is_full_;
  }
  /// Bytes of the longest text elsewhere.
  [[nodiscard]] std::uint64_t max_text() const { return max_text_; }
  /// Bytes of the longest text of `strings` that is read.
  [[nodiscard]] std::uint64_t max_string() const { return std::min(max_memory_, longest_string); }
  /// Whether the limit of memory has been reached.
  [[nodiscard]] bool is_full() const { return is_full_; }
  /// Whether there is more to read: neither error nor limit.
  [[nodiscard]] bool goes_on() const { return !is_full_ && json.token() != core::JsonToken::error; }

  /// Whether a colon stands right behind the current token, whose text is no longer valid then.
  [[nodiscard]] bool has_colon_behind();
  /// Keeps the marks of the current token, where they are wanted. The text of a key is no longer valid then.
  void mark();
  [[nodiscard]] std::vector<TextMark> take_marks() { return std::move(marks_); }
  [[nodiscard]] bool keeps_marks() const { return keeps_marks_; }

  /// Skips the value that comes next, of which nothing is known; keeps its marks, where they are wanted.
  void skip_unknown();
  /// Skips what is left of the current value where it is an array or object, else nothing.
  void skip_current();
  /// Reports what is wrong with the JSON itself, if anything.
  void report_json_error(std::string_view path);

 private:
  void stop_at_limit(std::uint64_t offset, std::string_view path);

  core::FindingSink* sink_;
  core::Window* window_;
  std::uint64_t max_memory_;
  std::uint64_t max_text_;
  std::uint64_t memory_ = 0;
  std::vector<const Rule*> reported_;
  std::vector<TextMark> marks_;
  bool keeps_marks_;
  bool is_full_ = false;
};

/// A few words on a value, for messages: `a string`, `an object`, `the number 1.5`.
[[nodiscard]] std::string describe_value(const core::JsonReader& json);

}  // namespace heapcheck::v8::heapsnapshot
