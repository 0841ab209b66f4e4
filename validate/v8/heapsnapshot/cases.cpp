#include "validate/v8/heapsnapshot/cases.hpp"

#include <fmt/format.h>

namespace heapcheck::validation::v8::heapsnapshot {

Field::Field(const Snapshot& of, Section in, std::string_view called)
    : snapshot(&of),
      section(in),
      name(called),
      column(of.is_sound(in) ? of.find_column(in, called) : nullptr) {}

Finding Cases::make_finding(const Rule& rule, const Field& field, std::uint64_t row, std::string message) {
  const auto column = field.snapshot->schema.find_field(field.section, field.name);
  const Span span = format::find_value(field.snapshot->table(field.section), row, column.value_or(0));
  return {&rule,
          {span, std::nullopt, fmt::format("/{}/{}/{}", name_of(field.section), row, field.name)},
          std::move(message)};
}

bool check_types(const Snapshot& snapshot, Section section, const Rule& rule, core::FindingSink& sink) {
  const Field types(snapshot, section, "type");
  const auto* names = snapshot.schema.find_type_names(section, "type");
  if (!types || names == nullptr || names->empty()) return true;
  std::uint64_t count = 0;
  Cases cases(rule, sink, core::count_wrong("types"));
  for_each_above(*types.column, names->size() - 1, [&](std::uint64_t row, std::uint64_t type) {
    ++count;
    cases.add(types, row,
              [&] { return fmt::format("type is {}, expected at most {}", type, names->size() - 1); });
  });
  cases.report();
  return count <= core::few_violations;
}

}  // namespace heapcheck::validation::v8::heapsnapshot
