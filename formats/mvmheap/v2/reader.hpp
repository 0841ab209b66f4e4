// Reads a version 2 file from front to back, snapshot by snapshot. Readable content goes into the model and
// the container, and everything else is reported. The reader never seeks, so it can also read a pipe or a
// truncated file. It owns the shared tables and the container, and borrows the window and the sink. The
// window needs a capacity of 256 KiB.
#pragma once

#include "formats/mvmheap/base_readers.hpp"
#include "formats/mvmheap/v2/assembly.hpp"
#include "formats/mvmheap/v2/container.hpp"
#include "formats/mvmheap/v2/part.hpp"

namespace heapcheck::mvmheap::v2 {

/// Whether a file that begins with these bytes is a version 2 heap dump.
bool is_v2(core::ByteSpan first_bytes);

class FrontReader final : public WindowReader {
 public:
  /// `window` must be at the magic, which the caller has checked with is_v2().
  FrontReader(core::Window& window, const Limits& limits, core::FindingSink& sink);

  /// Reads the next snapshot and, in layouts A and C, its new rows. In layout B, the last snapshot comes with
  /// all rows. Returns false if there are no more snapshots. If the end of the file changes the tables,
  /// returns a part without a snapshot. In layout A, this happens if the rows after the snapshots are
  /// damaged, and the part then contains all rows from the start. In layout B, it happens if the tables are
  /// missing. Reports violations of the rules in faults.hpp and of the rules about limits. After damage,
  /// continues with the next section whose head can be recognised.
  bool read_part(SectionPart& part);

  [[nodiscard]] const SectionContainer& container() const { return container_; }
  /// The shared tables as of the last part that was read.
  [[nodiscard]] const Tables& tables() const { return assembly_.tables().rows(); }
  /// The content of the last sections in layouts A and C; empty before the end.
  [[nodiscard]] const Tables& last_tables() const { return assembly_.tables().last_rows(); }
  /// The same rows if the file has layout A and they are complete, and otherwise null.
  [[nodiscard]] const Tables* repeated_tables() const;
  /// The number of snapshots in the index; empty if there is no index or its size does not match.
  [[nodiscard]] std::optional<std::uint64_t> declared_snapshots() const;

 private:
  enum class Progress : std::uint8_t { not_begun, snapshots, ended };
  /// Why reading stopped early.
  enum class Stop : std::uint8_t {
    none,
    limit,    ///< the rest is not read
    failure,  ///< the input failed, which has already been reported
  };
  /// The kind of content that was read last.
  enum class Before : std::uint8_t {
    nothing_whole,
    whole_snapshot,  ///< a snapshot with all its sections
    last_sections,   ///< the last sections, or sections that look like them
  };

  bool begins_snapshot();
  void read_snapshot(SectionPart& part);
  [[nodiscard]] bool goes_on_after_rows(const SectionPart& part);
  void end_snapshot(SectionPart& part, std::size_t next);
  bool read_end(SectionPart& part);
  [[nodiscard]] bool lacks_last_sections() const;
  void end_stray_rows(SectionKind next);
  void read_last_sections();
  void read_index();
  void read_section(SectionPart& part, SectionKind kind, bool is_last);
  std::optional<SectionKind> find_next();
  bool is_at_repeat();
  void skip_repeat();
  bool is_at_end_or_index();
  void check_order(std::size_t expected, std::optional<SectionKind> found);
  void skip_gap(std::string_view expected);
  void report_end(const std::string& inside, std::uint64_t start, const std::string& path);
  bool report_failure(Span place, const std::string& path);
  [[nodiscard]] std::string snapshot_path() const;

  Assembly assembly_;
  SectionContainer& container_;  // the assembly's
  SectionPart last_;             // the sections after the last snapshot
  Progress progress_ = Progress::not_begun;
  Stop stop_ = Stop::none;
  Before before_ = Before::nothing_whole;
  std::vector<std::uint8_t> last_bytes_;  // the first bytes of the section that was read last
  bool lost_snapshot_ = false;            // whether there are unknown bytes where a snapshot may have been
  bool disordered_ = false;               // whether sections of the last snapshot are missing or out of order
  bool quiet_ = false;                    // whether earlier damage explains missing or misplaced sections
};

}  // namespace heapcheck::mvmheap::v2
