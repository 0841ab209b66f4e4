// Reads the list on a line, item by item, into blocks of rows. Each run of unreadable items produces one
// finding. Rows after such a run are counted but not passed on. Borrows the window and the sink.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/v1/container.hpp"
#include "formats/mvmheap/v1/grammar.hpp"
#include "formats/mvmheap/v1/line_ends.hpp"
#include "formats/mvmheap/v1/rows.hpp"

namespace heapcheck::mvmheap::v1 {

/// The list to read, and the destination for its rows.
struct ListTarget {
  LineKind kind = LineKind::types;
  std::string path;             ///< the path of the list, such as `/snapshots/0/references`
  RowPlaces* places = nullptr;  ///< receives the marks
  /// Takes each block of rows. Returns false if there is no memory for more rows.
  std::function<bool(const RowBlock&)> take;
};

enum class ListEnd : std::uint8_t {
  line,     ///< after the line end, or where another line begins
  file,     ///< at the end of the input
  stopped,  ///< because there is no memory for more
};

struct ListOutcome {
  ListEnd end = ListEnd::line;
  bool whole = true;        ///< whether every item could be read
  bool joined = false;      ///< whether another line begins in the last item
  std::uint64_t count = 0;  ///< the number of rows, including rows that were not passed on
  Span cut;                 ///< the bytes after the last complete item, if the input ended
};

class ListReader {
 public:
  ListReader(core::Window& window, LineEnds& line_ends, core::FindingSink& sink)
      : window_(&window), line_ends_(&line_ends), sink_(&sink) {}

  /// The window must be just after the line's head. Reports violations of mvm1.item.*, mvm1.line.split and
  /// mvm1.line.joined.
  ListOutcome read(const ListTarget& target);

 private:
  /// The extent of the item at the front of the window.
  struct Extent {
    std::size_t length = 0;
    char end = '\0';                   ///< `;`, a line feed, or NUL if the input ends
    std::optional<std::size_t> split;  ///< the position of a line feed after which the list continues
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
  std::optional<Finding> broken_;  // the finding for the current run of broken items
};

}  // namespace heapcheck::mvmheap::v1
