// Reads the list of a line, item by item, into blocks of rows. Items that cannot be read become
// findings, one for each run of them; rows behind them are counted, and no longer handed out.
// Borrows the window and the sink.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/v1/grammar.hpp"
#include "formats/mvmheap/v1/line_ends.hpp"
#include "formats/mvmheap/v1/row_places.hpp"
#include "formats/mvmheap/v1/rows.hpp"

namespace heapcheck::mvmheap::v1 {

/// What a list is and where its rows go.
struct ListTarget {
  LineKind kind = LineKind::types;
  std::string path;             ///< of the list, `/snapshots/0/references`
  RowPlaces* places = nullptr;  ///< gets marks
  /// Takes each block of rows; false where there is no memory for more.
  std::function<bool(const RowBlock&)> take;
};

enum class ListEnd : std::uint8_t {
  line,     ///< behind the end of the line, or where another line begins
  file,     ///< the input ended
  stopped,  ///< no memory for more
};

struct ListOutcome {
  ListEnd end = ListEnd::line;
  bool whole = true;        ///< whether every item could be read
  bool joined = false;      ///< whether another line begins where the list ends
  std::uint64_t count = 0;  ///< rows, also those that were not handed out
  Span cut;                 ///< what stands behind the last item where the input ended
};

class ListReader {
 public:
  ListReader(core::Window& window, LineEnds& line_ends, core::FindingSink& sink)
      : window_(&window), line_ends_(&line_ends), sink_(&sink) {}

  /// `window` stands behind the line's head. Raises the rules mvm1.item.*, mvm1.line.split and
  /// mvm1.line.joined.
  ListOutcome read(const ListTarget& target);

 private:
  /// An item as it stands at the window's front.
  struct Extent {
    std::size_t length = 0;
    char end = '\0';                   ///< `;`, a line feed, or none where the input ends
    std::optional<std::size_t> split;  ///< a line feed inside, where the list goes on behind it
  };

  void read_rows();
  Extent find_extent();
  void read_item();
  void read_long_item();
  void end_item(const Extent& extent);
  void take_item(std::string_view text, const Extent& extent);
  bool take_joined(std::string_view text);
  bool take_sound(std::string_view text);
  void add_row(const grammar::Item& item);
  void begin_broken(std::string_view text, const Extent& extent);
  void add_broken();
  void flush();
  void flush_broken();
  [[nodiscard]] std::size_t field_count() const { return info_of(target_->kind).fields.size(); }
  [[nodiscard]] std::uint64_t row() const { return outcome_.count + block_.count; }

  core::Window* window_;
  LineEnds* line_ends_;
  core::FindingSink* sink_;
  const ListTarget* target_ = nullptr;
  ListOutcome outcome_;
  RowBlock block_;
  bool ended_ = false;
  std::uint64_t broken_count_ = 0;
  std::optional<Finding> broken_;  // of the run of broken items that may go on
};

}  // namespace heapcheck::mvmheap::v1
