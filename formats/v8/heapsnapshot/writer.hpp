// Writes a heap snapshot as V8 does: sections in V8's order, no blanks, and a line a record where
// the model says so. The same model gives the same bytes. Borrows snapshot and sink.
#pragma once

#include "formats/core/output_file.hpp"
#include "formats/v8/heapsnapshot/model.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::v8::heapsnapshot {

/// Writes the sections that the snapshot has. What the model does not hold (unknown members) is not
/// written. Errors: those of the sink.
Result<void> write_snapshot(const Snapshot& snapshot, core::ByteSink& out);

}  // namespace heapcheck::v8::heapsnapshot
