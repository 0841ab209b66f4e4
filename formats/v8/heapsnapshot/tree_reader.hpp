// Reads the section `trace_tree`, however deep it nests, without recursion.
#pragma once

#include "formats/v8/heapsnapshot/context.hpp"
#include "formats/v8/heapsnapshot/model.hpp"

namespace heapcheck::v8::heapsnapshot {

/// Reads the array that begins at the current token. Where the schema names no fields, V8's are taken.
[[nodiscard]] TraceTree read_trace_tree(Context& context, const Schema& schema);

}  // namespace heapcheck::v8::heapsnapshot
