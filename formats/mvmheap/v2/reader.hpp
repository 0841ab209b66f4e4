// Reads a version 2 file from front to back, snapshot by snapshot: what can be read becomes model and
// container, what cannot becomes findings. Never seeks, so a pipe or a cut file will do. Owns the shared
// tables and the container; borrows window and sink. A window needs 256 KiB of capacity.
#pragma once

#include "formats/mvmheap/v2/assembly.hpp"
#include "formats/mvmheap/v2/container.hpp"
#include "formats/mvmheap/v2/part.hpp"
#include "formats/mvmheap/window_reader.hpp"

namespace heapcheck::mvmheap::v2 {

/// Whether a file that begins with these bytes is a version 2 heap dump.
bool is_v2(core::ByteSpan first_bytes);

class FrontReader final : public WindowReader {
 public:
  /// `window` stands at the magic, which the caller has checked with is_v2().
  FrontReader(core::Window& window, const Limits& limits, core::FindingSink& sink);

  /// Reads the next snapshot and, in layouts A and C, its new rows; the last one of layout B comes with all
  /// rows. False where there is none. Where the end of the file tells of the tables what no snapshot did, a
  /// part without a snapshot closes it: in layout A all rows, from the first one on, where those behind
  /// snapshots are damaged; in layout B that the tables are missing. Reports the rules of faults.hpp and of
  /// limits. After damage, reads on from the next section whose head can be recognised.
  bool read_part(SectionPart& part);

  [[nodiscard]] const SectionContainer& container() const { return container_; }
  /// The shared tables as they are after the last part read.
  [[nodiscard]] const Tables& tables() const { return assembly_.tables().rows(); }
  /// What the last sections of layouts A and C hold; empty before the end.
  [[nodiscard]] const Tables& last_tables() const { return assembly_.tables().last_rows(); }
  /// The same, where the file has layout A and they are whole; null otherwise.
  [[nodiscard]] const Tables* repeated_tables() const;

 private:
  enum class Progress : std::uint8_t { not_begun, snapshots, ended };
  /// Why reading stopped early.
  enum class Stop : std::uint8_t {
    none,
    limit,    ///< the rest is not even looked at
    failure,  ///< of the input, which is reported
  };
  /// What was read last.
  enum class Before : std::uint8_t {
    nothing_whole,
    whole_snapshot,  ///< it has all its sections
    last_sections,   ///< or sections that look like these
  };

  void read_start();
  bool begins_snapshot();
  void read_snapshot(SectionPart& part);
  void end_snapshot(SectionPart& part, std::size_t next);
  bool read_end(SectionPart& part);
  [[nodiscard]] bool lacks_last_sections() const;
  void end_stray_rows(SectionKind next);
  void read_last_sections();
  void read_index();
  void read_section(SectionPart& part, SectionKind kind, bool is_last);
  std::optional<SectionKind> find_next();
  bool is_at_end_or_index();
  void check_order(std::size_t expected, std::optional<SectionKind> found);
  void skip_gap(std::string_view expected);
  void report_end(const std::string& inside, std::uint64_t start, const std::string& path);
  bool report_failure(Span place, const std::string& path);
  [[nodiscard]] std::string snapshot_path() const;

  Assembly assembly_;
  SectionContainer& container_;  // the assembly's
  SectionPart last_;             // the sections behind the last snapshot's
  Progress progress_ = Progress::not_begun;
  Stop stop_ = Stop::none;
  Before before_ = Before::nothing_whole;
  bool lost_snapshot_ = false;  // bytes that are nothing stand where a snapshot may have been
  bool disordered_ = false;     // sections of the last snapshot are missing or out of order
  bool quiet_ = false;          // damage before explains what comes out of order or is missing
};

}  // namespace heapcheck::mvmheap::v2
