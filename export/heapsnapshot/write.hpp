// A MoarVM heap as a V8 heap snapshot, so that Chrome DevTools, memlab and others can show it.
#pragma once

#include "export/exporter.hpp"

namespace heapcheck::exports::heapsnapshot {

/// Nodes keep their order, so node N is node N of the graph. Objects, type objects, STables and frames become
/// nodes of the type `object`, and roots `synthetic`; references become edges of the types `property`,
/// `element` and, without a name, `internal`. The self size includes unmanaged memory. Losses: sizes of 2^32
/// or more, of which readers keep 32 bits, and names that were shortened. Errors: unsupported, if it is not
/// a MoarVM dump or has too many nodes; unwritable.
[[nodiscard]] Result<Written> write_heapsnapshot(const GraphInput& input, core::ByteSink& sink);

}  // namespace heapcheck::exports::heapsnapshot
