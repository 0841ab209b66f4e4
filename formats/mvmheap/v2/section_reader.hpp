// Reads one section of a version 2 file at the front of a window: its head is checked, its entries
// become rows, and where the head is wrong the entries and the next head say where the section ends.
// Borrows window, sink and container; owns nothing.
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
#include "heapcheck/limits.hpp"

namespace heapcheck::mvmheap::v2 {

enum class SectionOutcome : std::uint8_t {
  whole,      ///< read to its end, whatever its head says
  broken,     ///< its rows do not hold; the window stands at the next section, or at the end
  truncated,  ///< the input ends inside it
  stopped,    ///< a limit was reached
};

/// What the fields of types and static frames hold above their lower 32 bits. spec: mvmheap/v2.md#quirks
enum class UpperHalves : std::uint8_t {
  value,    ///< more of the value, as in layouts A and B
  cut_off,  ///< nothing that counts, as in layout C
  unknown,  ///< what the first row of a section looks like
};

class SectionReader {
 public:
  /// `container` tells what the index looks like, which may stand behind a section.
  SectionReader(core::Window& window, const Limits& limits, const SectionContainer& container,
                core::FindingSink& sink)
      : window_(&window), memory_(limits.max_memory), container_(&container), sink_(&sink) {}

  /// Each reads the section that starts here, of which `section` holds kind, offset, part and rows before,
  /// and fills in the rest. Rows are appended to the part or to `tables`, for whose memory what
  /// set_other_memory() was told counts too.
  SectionOutcome read_collectables(Section& section, SectionPart& part, const Tables& tables);
  SectionOutcome read_references(Section& section, SectionPart& part, const Tables& tables);
  SectionOutcome read_strings(Section& section, const SectionPart& part, Tables& tables);
  SectionOutcome read_types(Section& section, const SectionPart& part, Tables& tables, UpperHalves upper);
  SectionOutcome read_frames(Section& section, const SectionPart& part, Tables& tables, UpperHalves upper);

  /// Memory of what else is held while these sections are read.
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
  SectionOutcome fail_framing(Section& section, Span place, std::string message);
  bool is_at_boundary(const Section& section);
  [[nodiscard]] bool is_boundary(const Section& section, const Ahead& ahead) const;
  bool fits_memory(Section& section, const SectionPart& part, const Tables& tables, std::uint64_t extra = 0);
  void report(const Rule& rule, Span place, Section& section, std::string message);

  core::Window* window_;
  core::MemoryBudget memory_;
  const SectionContainer* container_;
  core::FindingSink* sink_;
  std::uint64_t other_memory_ = 0;
};

/// How many entries to make room for: what the head says, up to a cap, as nothing in the file is believed.
inline std::uint64_t expected_count(const Section& section) {
  constexpr std::uint64_t most_claimed = std::uint64_t{4} << 20;
  return std::min(section.declared_count, most_claimed);
}

/// `/snapshots/2/references`, or `/strings` for the last sections.
std::string path_of(const Section& section);

}  // namespace heapcheck::mvmheap::v2
