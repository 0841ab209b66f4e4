// Reports violations of one rule in the columns of a section, individually if there are only a few, and
// otherwise as one finding that states their number. Borrows the snapshot and the sink.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "formats/core/finding_groups.hpp"
#include "formats/v8/heapsnapshot/model.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

namespace format = heapcheck::v8::heapsnapshot;
using format::ChunkValues;
using format::for_each_value;
using format::Section;
using format::Snapshot;

/// A column of a snapshot, found by name; `column` is null if there is no such column or its section cannot
/// be checked.
struct Field {
  Field(const Snapshot& of, Section in, std::string_view called);

  const Snapshot* snapshot;
  Section section;
  std::string_view name;
  const format::ChunkedColumn* column;

  explicit operator bool() const { return column != nullptr; }
};

class Cases {
 public:
  Cases(const Rule& rule, core::FindingSink& sink, core::CountViolations add_count = core::count_found)
      : rule_(&rule), findings_(sink, rule, {.add_count = std::move(add_count)}) {}

  /// Adds a wrong value. Only calls `make_message` if the finding may be reported.
  template <class MakeMessage>
  void add(const Field& field, std::uint64_t row, MakeMessage&& make_message) {
    add(*rule_, field, row, make_message);
  }
  /// Adds a value that violates another rule because of the same fault.
  template <class MakeMessage>
  void add(const Rule& rule, const Field& field, std::uint64_t row, MakeMessage&& make_message) {
    findings_.add(rule, row, [&] { return make_finding(rule, field, row, make_message()); });
  }
  /// Reports what was added. Call this once, after the last value has been added.
  void report() { findings_.report(); }

 private:
  [[nodiscard]] static Finding make_finding(const Rule& rule, const Field& field, std::uint64_t row,
                                            std::string message);

  const Rule* rule_;
  core::FindingGroups findings_;
};

/// Calls `use` for each value above `largest`, with its row and the value itself. Chunks without such values
/// take almost no time.
template <class Use>
void for_each_above(const format::ChunkedColumn& column, std::uint64_t largest, Use&& use) {
  if (column.largest() <= largest) return;
  ChunkValues values;
  for (std::uint64_t chunk = 0; chunk < column.chunk_count(); ++chunk) {
    if (column.largest(chunk) <= largest) continue;
    const std::size_t count = column.decode_chunk(chunk, values);
    for (std::size_t i = 0; i < count; ++i) {
      if (values[i] > largest) use(chunk * format::chunk_rows + i, values[i]);
    }
  }
}

/// Reports, under `rule`, the `type` values in a section that `meta` does not name. Returns whether the rows
/// may be aligned, which is not the case if many values are wrong.
bool check_types(const Snapshot& snapshot, Section section, const Rule& rule, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
