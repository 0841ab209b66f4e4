// The work that the two version 2 readers have in common: reading a section that they have found, and adding
// it to the part, the tables and the container. Owns the tables and the container; borrows the sink and the
// window, which must be at the section.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/core/memory_budget.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/v2/container.hpp"
#include "formats/mvmheap/v2/part.hpp"
#include "formats/mvmheap/v2/section_reader.hpp"
#include "formats/mvmheap/v2/shared_tables.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::mvmheap::v2 {

class Assembly {
 public:
  Assembly(core::Window& window, const Limits& limits, core::FindingSink& sink)
      : window_(&window), limits_(limits), sink_(&sink), sections_(window, limits, container_, sink) {}
  Assembly(const Assembly&) = delete;
  Assembly& operator=(const Assembly&) = delete;

  [[nodiscard]] SectionContainer& container() { return container_; }
  [[nodiscard]] const SectionContainer& container() const { return container_; }
  [[nodiscard]] SharedTables& tables() { return tables_; }
  [[nodiscard]] const SharedTables& tables() const { return tables_; }

  void begin_snapshot(SectionPart& part);
  /// `has_rows` states whether row sections followed the graph.
  void end_snapshot(SectionPart& part, bool has_rows);
  /// Reads the section at the front of the window into the part and the tables. Adds the section to the
  /// container if it is complete or broken.
  SectionOutcome read_section(Section& section, SectionPart& part);
  /// Makes the decisions that are only possible at the end of the file. `last` contains the last sections.
  /// Returns whether `part` is a final part, with changes to the tables that do not belong to a snapshot.
  bool end_file(SectionPart& part, const SectionPart& last, bool has_index);

 private:
  SectionOutcome read_content(Section& section, SectionPart& part);
  [[nodiscard]] std::uint64_t count_rows(SectionKind kind) const;
  bool fill_strings(SectionPart& part);
  void report_lost_strings();
  void add_sizes(const Section& section, const SectionPart& part);
  [[nodiscard]] bool lacks_collectables(const SectionPart& part) const;
  void check_string_counts();
  void check_missing_rows();

  core::Window* window_;
  Limits limits_;
  core::FindingSink* sink_;
  SectionContainer container_;
  SectionReader sections_;
  SharedTables tables_;
};

}  // namespace heapcheck::mvmheap::v2
