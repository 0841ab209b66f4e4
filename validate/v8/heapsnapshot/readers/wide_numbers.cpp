#include "validate/v8/heapsnapshot/readers/rules.hpp"

#include <fmt/format.h>

#include "formats/core/text/counted.hpp"
#include "validate/v8/heapsnapshot/distinct.hpp"
#include "validate/v8/heapsnapshot/names.hpp"
#include "validate/v8/heapsnapshot/rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot::readers {
namespace {

/// Recognises the values of a column that rules of the format check.
class CheckedElsewhere {
 public:
  CheckedElsewhere(const Snapshot& snapshot, const format::ColumnName& info)
      : snapshot_(&snapshot),
        named_edges_(snapshot, Section::edges),
        ids_(snapshot.trace_tree),
        info_(info) {}
  [[nodiscard]] bool has(std::uint64_t row, std::uint64_t value) const {
    if (info_.field == "name_or_index") return named_edges_.has(row);
    if (info_.field == "trace_node_id") return !ids_.has(value);
    if (info_.field == "to_node") return value >= snapshot_->table(Section::nodes).value_count;
    return false;
  }

 private:
  const Snapshot* snapshot_;
  NamedRows named_edges_;
  TreeIds ids_;
  format::ColumnName info_;
};

}  // namespace

void check_widths(const Snapshot& snapshot, std::span<const format::ColumnName> columns,
                  std::uint64_t largest, const Rule& rule, core::FindingSink& sink) {
  Cases cases(rule, sink);
  for (const format::ColumnName& info : columns) {
    const Field field(snapshot, info.section, info.field);
    if (!field || field.column->largest() <= largest) continue;
    const CheckedElsewhere elsewhere(snapshot, info);
    for_each_above(*field.column, largest, [&](std::uint64_t row, std::uint64_t value) {
      if (elsewhere.has(row, value)) return;
      cases.add(field, row,
                [&] { return fmt::format("{} is {}, expected at most {}", info.field, value, largest); });
    });
  }
  cases.report();
}

void check_dropped_signs(const Snapshot& snapshot, std::span<const Section> sections, std::string_view reader,
                         const Rule& rule, core::FindingSink& sink) {
  for (const Section section : sections) {
    const auto found = find_negative(snapshot, section);
    if (!found) continue;
    sink.report(
        {&rule, locate_first(snapshot, section, *found),
         fmt::format("found {}, expected none: {} reads {} as {}",
                     core::counted(found->count, "negative number"), reader, found->value, -found->value)});
  }
}

}  // namespace heapcheck::validation::v8::heapsnapshot::readers
