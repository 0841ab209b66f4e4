// Readers of the parts of a snapshot that follow its header.
#pragma once

#include <string>
#include <vector>

#include "formats/v8/heapsnapshot/context.hpp"
#include "formats/v8/heapsnapshot/model.hpp"

namespace heapcheck::v8::heapsnapshot {

/// Reads the flat section whose array begins at the current token into columns with these names, or into one
/// column if `names` is null.
[[nodiscard]] Table read_table(Context& context, Section section, const std::vector<std::string>* names);
/// Reads the section `trace_tree`, whose array begins at the current token, without recursion, however deep
/// it is. If the schema names no fields, V8's fields are assumed.
[[nodiscard]] TraceTree read_trace_tree(Context& context, const Schema& schema);
/// Reads the section `strings`, whose array begins at the current token.
[[nodiscard]] Strings read_strings(Context& context);

}  // namespace heapcheck::v8::heapsnapshot
