// The readers for the parts of a snapshot, and the state that they share: the context that all JSON formats
// need, the rules that were violated, and the marks in the text. Owns the marks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/core/finding_groups.hpp"
#include "formats/core/json/context.hpp"
#include "formats/core/window.hpp"
#include "formats/v8/heapsnapshot/model.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::v8::heapsnapshot {

class Context : public core::JsonContext {
 public:
  Context(core::JsonReader& reader, core::Window& window, const Limits& limits, core::FindingSink& to_sink,
          core::MemoryBudget& budget, bool keeps_marks)
      : JsonContext(reader, to_sink, budget, "the snapshot needs more memory than the limit of {} bytes"),
        window_(&window),
        max_text_(limits.max_json_text),
        max_threads_(limits.max_threads),
        keeps_marks_(keeps_marks) {}

  void report(const Rule& rule, Span span, const core::JsonPath& path, std::string message);
  /// Whether a finding for that rule has been reported.
  [[nodiscard]] bool has_reported(const Rule& rule) const;
  /// Records that there is a finding for that rule, which will be reported.
  void note(const Rule& rule);

  /// Counts bytes that columns take up. If the total exceeds the limit, reports this at `offset` and returns
  /// false.
  bool take_memory(std::uint64_t byte_count, std::uint64_t offset, const core::JsonPath& path) const {
    return JsonContext::take_memory(byte_count, {offset, 0}, path);
  }
  [[nodiscard]] unsigned max_threads() const { return max_threads_; }
  /// The length in bytes up to which strings outside the `strings` section are read.
  [[nodiscard]] std::uint64_t max_text() const { return max_text_; }
  /// The length in bytes up to which strings in the `strings` section are read.
  [[nodiscard]] std::uint64_t max_string() const { return std::min(memory.max(), longest_string); }
  /// Whether reading can continue: there was no error, and no limit was reached.
  [[nodiscard]] bool goes_on() const { return !memory.is_spent() && json.token() != core::JsonToken::error; }

  /// Whether the current token ends an array and nothing was left out for lack of memory.
  [[nodiscard]] bool is_at_array_end() const {
    return json.token() == core::JsonToken::array_end && !memory.is_spent();
  }

  /// Whether a colon directly follows the current token. The token's text is no longer valid afterwards.
  [[nodiscard]] bool has_colon_after();
  /// Keeps the marks of the current token if they are wanted. Afterwards, the text of a key is no longer
  /// valid.
  void mark();
  [[nodiscard]] std::vector<TextMark> take_marks() { return std::move(marks_); }
  [[nodiscard]] bool keeps_marks() const { return keeps_marks_; }

  /// Skips the next value, whose meaning is unknown, but keeps its marks if they are wanted.
  void skip_unknown();
  /// If reading was ended by an error in the JSON or in the input, reports that error.
  void report_end(std::string_view path) const;

 private:
  core::Window* window_;
  std::uint64_t max_text_;
  unsigned max_threads_;
  std::vector<const Rule*> reported_;
  std::vector<TextMark> marks_;
  bool keeps_marks_;
};

/// A short description of the current value for messages, such as `an object` or `the number 1.5`.
[[nodiscard]] std::string describe_value(const core::JsonReader& json);

/// Reports the elements of a section that have the wrong type. Wrong elements that are close to each other
/// have one cause, such as a lost `]`, so they are reported as one finding.
class WrongElements {
 public:
  WrongElements(Context& context, const Rule& rule, std::string_view expected)
      : context_(&context),
        rule_(&rule),
        expected_(expected),
        groups_(context.sink, rule,
                {.few = core::Grouping::unlimited, .gap = 64, .add_count = core::count_wrong("values")}) {}

  /// Adds the current value, which has that index, and skips it. Calls `make_path` if the value is the first
  /// in a group.
  template <class MakePath>
  void add(std::uint64_t index, const MakePath& make_path) {
    if (groups_.begins_group(index)) first_ = make_finding(make_path());
    context_->skip_nested();
    // The cause is an error inside the value, which is reported at the end.
    if (!context_->goes_on()) return;
    context_->note(*rule_);
    groups_.add(index, [this] { return std::move(first_); });
  }

  /// Reports the values that were added. Call this at the end of the section.
  void report() { groups_.report(); }

 private:
  [[nodiscard]] Finding make_finding(std::string path) const;

  Context* context_;
  const Rule* rule_;
  std::string_view expected_;
  core::FindingGroups groups_;
  Finding first_;  // the finding of the group that begins
};

/// Reads the next value, which belongs to the `snapshot` key and contains the counts and, in `meta`, the
/// schema. Reports wrong members, but not missing members.
void read_header(Context& context, Snapshot& snapshot);
/// Reads the flat section whose array begins at the current token into columns with these names, or into one
/// column if `names` is null.
[[nodiscard]] Table read_table(Context& context, Section section, const std::vector<std::string>* names);
/// Reads the `trace_tree` section, whose array begins at the current token and may be nested to any depth.
/// Does not use recursion. If the schema does not name the fields, assumes V8's fields.
[[nodiscard]] TraceTree read_trace_tree(Context& context, const Schema& schema);
/// Reads the `strings` section, whose array begins at the current token.
[[nodiscard]] Strings read_strings(Context& context);

/// Whether a file needs that section because readers search for it. DevTools uses the same conditions.
[[nodiscard]] bool is_announced(Section section, const Snapshot& snapshot);
/// Reports missing counts, columns and sections once a whole snapshot has been read.
void check_requirements(Context& context, Snapshot& snapshot);

}  // namespace heapcheck::v8::heapsnapshot
