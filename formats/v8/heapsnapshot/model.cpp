#include "formats/v8/heapsnapshot/model.hpp"

#include <algorithm>

namespace heapcheck::v8::heapsnapshot {

std::optional<std::size_t> Schema::find_field(Section section, std::string_view name) const {
  const auto& names = fields[index_of(section)];
  if (!names) return std::nullopt;
  const auto found = std::ranges::find(*names, name);
  if (found == names->end()) return std::nullopt;
  return static_cast<std::size_t>(found - names->begin());
}

const std::vector<std::string>* Schema::find_type_names(Section section, std::string_view field) const {
  const auto& types = section == Section::nodes ? node_types : edge_types;
  const auto column = find_field(section, field);
  if (!types || !column || *column >= types->size() || !(*types)[*column].is_list) return nullptr;
  return &(*types)[*column].names;
}

Extent Snapshot::extent(Section section) const {
  if (section == Section::trace_tree) return trace_tree.extent;
  return section == Section::strings ? strings.extent : table(section).extent;
}

void Snapshot::set_present(Section section) {
  if (has(section)) return;
  Extent& rest = section == Section::strings ? strings.extent : table(section).extent;
  (section == Section::trace_tree ? trace_tree.extent : rest) = Extent::cut;
}

bool Snapshot::is_sound(Section section) const {
  return schema.fields[index_of(section)] && !schema.is_wrong_list[index_of(section)] &&
         table(section).is_sound();
}

const ChunkedColumn* Snapshot::find_column(Section section, std::string_view field) const {
  const auto column = schema.find_field(section, field);
  const auto& columns = table(section).columns;
  return column && *column < columns.size() ? &columns[*column] : nullptr;
}

bool operator==(const Snapshot& a, const Snapshot& b) {
  const bool same_tables = std::ranges::equal(a.tables, b.tables, [](const Table& x, const Table& y) {
    return x.is_present() == y.is_present() && x.columns == y.columns;
  });
  return same_tables && a.header == b.header && a.schema == b.schema && a.trace_tree == b.trace_tree &&
         a.strings.table == b.strings.table && a.order == b.order && a.has_record_lines == b.has_record_lines;
}

}  // namespace heapcheck::v8::heapsnapshot
