// The values in a heap snapshot that are string indices. Borrows the snapshot.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

/// The name that `heapcheck recover` gives to nodes that replace lost ones. Its string follows all others.
inline constexpr std::string_view lost_node_text = "(lost node)";

inline constexpr format::ColumnName name_columns[] = {
    {Section::nodes, "name"},
    {Section::edges, "name_or_index"},
    {Section::trace_function_infos, "name"},
    {Section::trace_function_infos, "script_name"},
    {Section::scope_context_vars, "name"},
};

/// Determines which rows of a section have a name: all rows except edges that have an index instead.
class NamedRows {
 public:
  NamedRows(const Snapshot& snapshot, Section section)
      : is_edges_(section == Section::edges),
        names_(snapshot.schema.find_type_names(Section::edges, "type")),
        types_(snapshot, Section::edges, "type") {}

  [[nodiscard]] bool has(std::uint64_t row) const {
    if (!is_edges_) return true;
    if (names_ == nullptr || !types_) return false;
    const std::uint64_t type = (*types_.column)[row];
    if (type >= names_->size()) return false;
    const std::string& name = (*names_)[static_cast<std::size_t>(type)];
    return name != "element" && name != "hidden";
  }

 private:
  bool is_edges_;
  const std::vector<std::string>* names_;
  Field types_;
};

/// Calls `use` with the column, the row and the value of each name that is at least `first`, in sections that
/// can be checked.
template <class Use>
void for_each_name_from(const Snapshot& snapshot, std::uint64_t first, Use&& use) {
  for (const format::ColumnName& info : name_columns) {
    const Field names(snapshot, info.section, info.field);
    if (!names || names.column->count() == 0) continue;
    const NamedRows named(snapshot, info.section);
    const auto use_named = [&](std::uint64_t row, std::uint64_t name) {
      if (named.has(row)) use(names, row, name);
    };
    if (first == 0) {
      for_each_value(*names.column, use_named);
    } else {
      for_each_above(*names.column, first - 1, use_named);
    }
  }
}

}  // namespace heapcheck::validation::v8::heapsnapshot
