// Recovery for each family, and its result in the terms of the front door.
#pragma once

#include "formats/core/output_file.hpp"
#include "heapcheck/internal/state.hpp"
#include "heapcheck/recover.hpp"

namespace heapcheck::internal {

/// Writes the intact parts of a dump that was validated to `out`. Errors: those of its family; unwritable.
Result<Recovery> recover_content(Dump::State& state, const RecoverOptions& options, core::ByteSink& out);

}  // namespace heapcheck::internal
