// Checks for numbers of which a reader keeps only the lowest bits or the digits without the sign.
#pragma once

#include <span>

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot::readers {

/// The columns of the graph itself, whose numbers a reader may keep in 32 bits.
inline constexpr format::ColumnName graph_numbers[] = {
    {Section::nodes, "id"},
    {Section::nodes, "self_size"},
    {Section::nodes, "trace_node_id"},
    {Section::edges, "name_or_index"},
    {Section::edges, "to_node"},
};
inline constexpr std::uint64_t largest_unsigned = 0xFFFF'FFFF;

/// Reports the values above `largest` in the columns. Leaves out names and references to missing rows,
/// because rules of the format report these.
void check_widths(const Snapshot& snapshot, std::span<const format::ColumnName> columns,
                  std::uint64_t largest, const Rule& rule, core::FindingSink& sink);

/// Reports the negative numbers in `sections`, of which `reader` drops the signs, once for each section.
void check_dropped_signs(const Snapshot& snapshot, std::span<const Section> sections, std::string_view reader,
                         const Rule& rule, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot::readers
