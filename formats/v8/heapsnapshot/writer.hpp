// Writes a heap snapshot as V8 does: with sections in V8's order, without spaces, and with one record per
// line if the model has record lines. Equal models are written as identical bytes. Borrows the snapshot and
// the sink.
#pragma once

#include "formats/core/output/output_file.hpp"
#include "formats/v8/heapsnapshot/model.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::v8::heapsnapshot {

/// Writes the sections that the snapshot has. Unknown members are not part of the model, so they are not
/// written. Errors: the errors of the sink.
Result<void> write_snapshot(const Snapshot& snapshot, core::ByteSink& out);

}  // namespace heapcheck::v8::heapsnapshot
