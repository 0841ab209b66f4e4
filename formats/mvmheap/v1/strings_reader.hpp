// Reads the names on the `strings` line one at a time, without looking at the whole line. Where a name ends
// depends on its first byte and on the text after a quote. Borrows the window, the sink and the table, and
// keeps one name at a time. spec: mvmheap/v1.md#names
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/core/finding_sink.hpp"
#include "formats/core/memory_budget.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/v1/container.hpp"
#include "formats/mvmheap/v1/line_ends.hpp"

namespace heapcheck::mvmheap::v1 {

enum class StringsEnd : std::uint8_t {
  line,     ///< after the end of the strings
  file,     ///< at the end of the input
  stopped,  ///< stopped because there is no memory for more
};

class StringsReader {
 public:
  StringsReader(core::Window& window, LineEnds& line_ends, core::MemoryBudget memory, core::FindingSink& sink)
      : window_(&window), line_ends_(&line_ends), memory_(memory), sink_(&sink) {}

  /// Appends the names to `table` and their offsets to `container`. The window must be after `strings: [`.
  /// Reports violations of mvm1.strings.*. If a carriage return precedes every line feed of the line, the
  /// names are appended without these. spec: mvmheap/v1.md#lines
  StringsEnd read(StringTable& table, LineContainer& container);

  /// Whether the end of every name was clear.
  [[nodiscard]] bool known() const { return known_; }
  /// The names whose ends are guesses, if these guesses are why not all ends are clear. Empty if there are
  /// too many such names.
  [[nodiscard]] std::vector<std::uint64_t> guessed() const {
    return is_undecidable_ ? std::vector<std::uint64_t>() : guessed_;
  }
  /// The offset of the start of the name inside which the input ended.
  [[nodiscard]] std::uint64_t name_offset() const { return name_offset_; }

 private:
  /// The result of reading one piece of a name: whether the name ended, and what follows. If the result is
  /// `opened`, the window is at the next name rather than at the comma before it.
  enum class Step : std::uint8_t { inside, name, opened, strings, file, stopped };
  /// The damaged byte in a separator between names.
  enum class Damage : std::uint8_t { none, quote, comma, next_quote };
  /// A name that may extend into the names that follow. spec: mvmheap/v1.md#undecidable
  struct OpenName {
    QuotedName name;
    bool begins_with_quote = false;
    bool is_reported = false;
  };

  Step read_name();
  Step read_run();
  Step judge_quote();
  [[nodiscard]] Damage find_damage(core::ByteSpan bytes) const;
  [[nodiscard]] bool may_be_in_name(Damage damage, core::ByteSpan bytes) const;
  Step end_at_damage(Damage damage, core::ByteSpan bytes);
  void guess(std::uint64_t ahead = 0);
  [[nodiscard]] bool is_strings_end(std::size_t at, bool may_be_joined);
  [[nodiscard]] std::optional<std::size_t> find_tables(core::ByteSpan run);
  void end_without_quote(std::size_t at);
  void add_name();
  void count_line_feeds();
  void restore_line_feeds();
  void note_open_name();
  void report_lone_quote();
  void report_undecidable(const QuotedName& name);
  void consume_strings_end();
  [[nodiscard]] std::uint64_t count_memory() const;
  [[nodiscard]] bool fits_memory();
  void report(const Rule& rule, Span place, std::string message);

  core::Window* window_;
  LineEnds* line_ends_;
  core::MemoryBudget memory_;
  core::FindingSink* sink_;
  StringTable* table_ = nullptr;
  LineContainer* container_ = nullptr;
  std::string text_;  // the text of the current name, as written
  std::string decoded_;
  std::uint64_t name_offset_ = 0;      // the offset of the quote before the current name
  std::optional<std::uint64_t> lone_;  // the first quote in the current name that should have been escaped
  std::optional<OpenName> open_;
  bool lacks_quote_ = false;                // whether the quote before the next name is damaged
  std::optional<std::uint64_t> next_name_;  // the offset of the next name, after a damaged separator
  std::uint64_t bare_line_feeds_ = 0;       // in names
  std::uint64_t returned_line_feeds_ = 0;   // the number of those after a carriage return
  bool known_ = true;
  bool is_undecidable_ = false;
  std::vector<std::uint64_t> guessed_;
};

}  // namespace heapcheck::mvmheap::v1
