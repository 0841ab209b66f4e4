// Reads a version 1 file from front to back, snapshot by snapshot. Readable content goes into the model and
// the container, and everything else is reported. The reader never seeks, so it can also read a pipe or a
// truncated file. It owns the shared tables and the container, and borrows the window and the sink. The
// window needs a capacity of 256 KiB.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "formats/core/memory_budget.hpp"
#include "formats/mvmheap/base_readers.hpp"
#include "formats/mvmheap/v1/container.hpp"
#include "formats/mvmheap/v1/line_ends.hpp"
#include "formats/mvmheap/v1/line_finder.hpp"
#include "formats/mvmheap/v1/list_reader.hpp"
#include "formats/mvmheap/v1/part.hpp"
#include "formats/mvmheap/v1/strings_reader.hpp"

namespace heapcheck::mvmheap::v1 {

/// Whether a file that begins with these bytes is a version 1 heap dump. In such a file, the first line that
/// is neither empty nor a comment either starts with one of the format's heads, or consists of NULs and is
/// followed by a line with such a head.
bool is_v1(core::ByteSpan first_bytes);

class FrontReader final : public WindowReader {
 public:
  /// `window` is at the first byte of the file, which the caller has checked with is_v1().
  FrontReader(core::Window& window, const Limits& limits, core::FindingSink& sink);

  /// Reads to the end of the next snapshot. Returns false if there is none. The first call also reads the
  /// tables that come before it. Reports violations of the rules in faults.hpp and of the rules about limits.
  /// If the file has no snapshots but its tables are not empty, the tables form one part.
  bool read_part(LinePart& part);

  [[nodiscard]] const LineContainer& container() const { return container_; }
  /// The shared tables; complete after the first part.
  [[nodiscard]] const Tables& tables() const { return tables_; }

 private:
  /// The state of one kind of line: a table, or a list of one snapshot.
  struct Seen {
    bool here = false;
    bool whole = false;
  };

  std::optional<FoundLine> find_line(LineKind expected, std::uint64_t snapshot);
  void read_tables();
  void read_table(const FoundLine& found);
  void read_strings(Line& line);
  bool begin_part(LinePart& part);
  bool begin_tables_part(LinePart& part);
  bool is_own_head(const LinePart& part, const FoundLine& found);
  void begin_snapshot(LinePart& part, const FoundLine& found);
  void enter_tables(LinePart& part);
  void read_number(LinePart& part);
  void skip_bad_number(LinePart& part, core::ByteSpan bytes);
  LineKind next_graph_line();
  [[nodiscard]] bool may_replace_references(const LinePart& part) const;
  bool belongs_to(const LinePart& part, const FoundLine& found, LineKind expected);
  void drop_leading_list(LinePart& part);
  void read_graph_line(LinePart& part, const FoundLine& found);
  void end_part(LinePart& part);
  void read_end();
  void read_list(const ListTarget& target, Line& line);
  ListTarget make_target(LineKind kind, LinePart* part);
  void settle(Line line);
  void check_item_limit(std::uint64_t count, std::string_view what);
  void skip_late_table(const FoundLine& found);
  void skip_line(const Rule& rule, const FoundLine& found, const std::string& path, std::string message);
  void report_missing(LineKind kind, std::uint64_t offset, std::uint64_t snapshot);
  void report_truncation(Span place, const std::string& path, const std::string& inside);
  bool fits_memory(const LinePart* part, const std::string& path);
  void stop() { container_.stopped = true; }
  Seen& seen(LineKind kind) { return seen_[static_cast<std::size_t>(kind)]; }

  core::MemoryBudget memory_;
  LineEnds line_ends_;
  LineFinder lines_;
  ListReader lists_;
  LineContainer container_;
  Tables tables_;
  std::array<Seen, line_kinds> seen_{};
  std::optional<LineKind> leading_;  ///< the list that came before the part's `snapshot N` line
  std::optional<FoundLine> ahead_;   // a line that has already been found but belongs to the next part
  enum class Progress : std::uint8_t { not_begun, snapshots, ended };
  Progress progress_ = Progress::not_begun;
  bool cut_ = false;       // whether the input ended too early
  bool in_doubt_ = false;  // whether a line of the tables or of this snapshot was not recognised
  bool tables_in_doubt_ = false;
  std::vector<std::uint64_t> guessed_strings_;
  bool is_joined_ = false;          // whether the last list ended where another line begins
  std::uint64_t next_number_ = 0;   // the expected number of the next snapshot
  std::uint64_t next_written_ = 0;  // the same, counted from the last number in the file
  std::uint64_t tables_end_ = 0;
};

}  // namespace heapcheck::mvmheap::v1
