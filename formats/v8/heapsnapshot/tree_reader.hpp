// Reads the section `trace_tree` without recursion, however deep it is.
#pragma once

#include "formats/v8/heapsnapshot/context.hpp"
#include "formats/v8/heapsnapshot/model.hpp"

namespace heapcheck::v8::heapsnapshot {

/// Reads the array that begins at the current token. If the schema names no fields, V8's fields are assumed.
[[nodiscard]] TraceTree read_trace_tree(Context& context, const Schema& schema);

}  // namespace heapcheck::v8::heapsnapshot
