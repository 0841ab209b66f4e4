// The output file of a conversion or recovery. It is given its name once it is complete and has been checked,
// and only replaces the input on request.
#pragma once

#include <string>

#include "api/state.hpp"
#include "formats/core/output/output_file.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/report.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::api {

/// Fails if the result must not go to `output`: either it is the input and `is_in_place` is false, or
/// uncompressed data would replace a compressed input. Errors: unwritable.
Result<void> check_output(const Dump::State& input, const std::string& output, bool is_in_place);

/// Whether the input and the output are the same file. `-` is standard input or standard output.
bool is_input(const Dump::State& input, const std::string& output);

/// Opens the file for the result; `-` means standard output. A dump may contain secrets, so a new file can
/// only be read by those who can read the input. If `keeps_times` is true, the result is given the times of
/// the input. Errors: unwritable.
Result<core::OutputFile> create_output(const Dump::State& input, const std::string& output, bool keeps_times);

/// The error for an input of unknown format. It states why the input could not be read. Its kind is `limit`
/// if the verdict is undecided, and `unreadable` otherwise.
Error explain_unread(const Report& report);

/// Checks the output before it is given its name. Errors: unwritable, with the message of the first finding;
/// limit if a limit was reached before the output was completely checked.
Result<void> check_written(const core::OutputFile& out, const Limits& limits);

}  // namespace heapcheck::api
