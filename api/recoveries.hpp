// Recovers the dumps of each family, and converts the results to those of the front door.
#pragma once

#include "api/state.hpp"
#include "formats/core/output/output_file.hpp"
#include "heapcheck/recover.hpp"

namespace heapcheck::api {

/// Writes the intact parts of a dump to `out`; the dump must have been validated. Errors: those of recovering
/// a dump of its family; unwritable.
Result<Recovery> recover_content(Dump::State& state, const RecoverOptions& options, core::ByteSink& out);

}  // namespace heapcheck::api
