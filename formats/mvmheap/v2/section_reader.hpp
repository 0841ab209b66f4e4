// Reads one section of a version 2 file at the front of a window: checks its head and turns its entries into
// rows. If the head is wrong, the entries and the next head are used to find the end of the section. Borrows
// the window, the sink and the container.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "formats/core/finding_sink.hpp"
#include "formats/core/memory_budget.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/v2/container.hpp"
#include "formats/mvmheap/v2/part.hpp"
#include "formats/mvmheap/v2/recognise.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::mvmheap::v2 {

enum class SectionOutcome : std::uint8_t {
  whole,      ///< the section was read to its end, even if its head is wrong
  broken,     ///< its rows are unusable, and the window is at the next section or at the end
  truncated,  ///< the input ends inside it
  stopped,    ///< a limit was reached
};

/// The meaning of the upper 32 bits of the fields of types and static frames. spec: mvmheap/v2.md#quirks
enum class UpperHalves : std::uint8_t {
  value,    ///< they are part of the value, as in layouts A and B
  cut_off,  ///< they have no meaning, as in layout C
  unknown,  ///< not known until the first row of a section has been read
};

class SectionReader {
 public:
  /// `container` is needed to recognise the index, which may follow a section.
  SectionReader(core::Window& window, const Limits& limits, const SectionContainer& container,
                core::FindingSink& sink)
      : window_(&window), memory_(limits.max_memory), container_(&container), sink_(&sink) {}

  /// Each of these functions reads the section at the front of the window. The caller sets the kind, offset,
  /// part and rows_before of `section`, and the function fills in the rest. Rows are appended to the part or
  /// to `tables`. The memory limit includes the memory passed to set_other_memory().
  SectionOutcome read_collectables(Section& section, SectionPart& part, const Tables& tables);
  SectionOutcome read_references(Section& section, SectionPart& part, const Tables& tables);
  SectionOutcome read_strings(Section& section, const SectionPart& part, Tables& tables);
  /// Reads types or static frames.
  SectionOutcome read_rows(Section& section, const SectionPart& part, Tables& tables, UpperHalves upper);

  /// Sets the amount of memory in use elsewhere while these sections are read.
  void set_other_memory(std::uint64_t byte_count) { other_memory_ = byte_count; }

 private:
  bool read_head(Section& section);
  template <class Decode>
  SectionOutcome read_entries(Section& section, const SectionPart& part, const Tables& tables,
                              Decode&& decode);
  [[nodiscard]] std::optional<std::uint64_t> find_odd_entry(const Section& section, core::ByteSpan entries,
                                                            const Tables& tables) const;
  SectionOutcome fail_entries(Section& section, std::optional<std::uint64_t> odd);
  SectionOutcome end_references(Section& section, const SectionPart& part, core::ByteSpan bytes,
                                std::size_t at, bool is_odd);
  [[nodiscard]] std::size_t find_entries_end(const Section& section, const Tables& tables, const Ahead& ahead,
                                             std::size_t places, bool is_beyond) const;
  void report_odd_references(Section& section, core::ByteSpan bytes, std::uint64_t offset);
  SectionOutcome settle_count(Section& section);
  [[nodiscard]] bool is_boundary(const Section& section, const Ahead& ahead) const;
  bool fits_memory(Section& section, const SectionPart& part, const Tables& tables, std::uint64_t extra = 0);
  void report(const Rule& rule, Span place, Section& section, std::string message);

  core::Window* window_;
  core::MemoryBudget memory_;
  const SectionContainer* container_;
  core::FindingSink* sink_;
  std::uint64_t other_memory_ = 0;
};

/// The number of entries for which to reserve memory: the count in the head, up to a maximum, because the
/// file is not trusted.
inline std::uint64_t expected_count(const Section& section) {
  constexpr std::uint64_t most_claimed = std::uint64_t{4} << 20;
  return std::min(section.declared_count, most_claimed);
}

/// The path of a section, such as `/snapshots/2/references`, or `/strings` for one of the last sections.
std::string path_of(const Section& section);

}  // namespace heapcheck::mvmheap::v2
