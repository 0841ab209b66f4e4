
#include <fmt/format.h>

#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "validate/v8/heapsnapshot/rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

std::optional<NegativeNumbers> find_negative(const Snapshot& snapshot, Section section) {
  const format::Table& table = snapshot.table(section);
  if (!snapshot.is_sound(section)) return std::nullopt;
  NegativeNumbers numbers;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    for_each_above(table.columns[column], INT32_MAX, [&](std::uint64_t row, std::uint64_t value) {
      const auto negative = table.find_negative(column, value);
      if (!negative) return;
      const bool is_first = numbers.count++ == 0 || row < numbers.row;
      if (is_first) numbers = {numbers.count, row, column, *negative};
    });
  }
  return numbers.count == 0 ? std::nullopt : std::optional(numbers);
}

Location locate_first(const Snapshot& snapshot, Section section, const NegativeNumbers& numbers) {
  const std::string& name = (*snapshot.schema.fields[index_of(section)])[numbers.column];
  return {format::find_value(snapshot.table(section), numbers.row, numbers.column), std::nullopt,
          fmt::format("/{}/{}/{}", name_of(section), numbers.row, core::make_opening(name))};
}

void check_signed(const Snapshot& snapshot, std::span<const Section> sections, core::FindingSink& sink) {
  for (const Section section : sections) {
    const auto found = find_negative(snapshot, section);
    if (!found) continue;
    sink.report({&rules::section_signed, locate_first(snapshot, section, *found),
                 fmt::format("found {} (the first is {}), expected none",
                             core::counted(found->count, "negative number"), found->value)});
  }
}

}  // namespace heapcheck::validation::v8::heapsnapshot
