#include "validate/v8/heapsnapshot/cases.hpp"

#include <fmt/format.h>

namespace heapcheck::validation::v8::heapsnapshot {

Field::Field(const Snapshot& of, Section in, std::string_view called)
    : snapshot(&of),
      section(in),
      name(called),
      column(of.is_sound(in) ? of.find_column(in, called) : nullptr) {}

Finding Cases::make_finding(const Field& field, std::uint64_t row, std::string message) const {
  const auto column = field.snapshot->schema.find_field(field.section, field.name);
  const Span span = format::find_value(field.snapshot->table(field.section), row, column.value_or(0));
  return {rule_,
          {span, std::nullopt, fmt::format("/{}/{}/{}", name_of(field.section), row, field.name)},
          std::move(message)};
}

}  // namespace heapcheck::validation::v8::heapsnapshot
