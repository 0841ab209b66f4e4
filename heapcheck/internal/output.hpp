// Where a converted or recovered dump goes: a file that gets its name when it is complete and was checked,
// and never in place of the input unless asked.
#pragma once

#include <string>

#include "formats/core/output_file.hpp"
#include "heapcheck/internal/state.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::internal {

/// Why the result cannot go to `output`: that is the input and `is_in_place` is not, or it would be left
/// uncompressed under the name of a compressed file. Errors: unwritable.
Result<void> check_output(const Dump::State& input, const std::string& output, bool is_in_place);

/// Opens the result's file; `-` is standard output. A dump may hold secrets, so a new file may be read by no
/// one who may not read the input. Errors: unwritable.
Result<core::OutputFile> create_output(const Dump::State& input, const std::string& output);

/// Checks what was written before it gets its name. Errors: unwritable, with the first thing that does not
/// hold.
Result<void> check_written(const core::OutputFile& out, const Limits& limits);

}  // namespace heapcheck::internal
