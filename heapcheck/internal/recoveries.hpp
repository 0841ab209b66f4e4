// Recovering by family, and what came of it in the words of the front door.
#pragma once

#include "formats/core/output_file.hpp"
#include "heapcheck/internal/state.hpp"
#include "heapcheck/recover.hpp"

namespace heapcheck::internal {

/// Writes what is whole in a dump that was validated to `out`. Errors: those of its family; unwritable.
Result<Recovery> recover_content(Dump::State& state, const RecoverOptions& options, core::ByteSink& out);

}  // namespace heapcheck::internal
