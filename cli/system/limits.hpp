// The limits set by --max-memory, --max-expanded and --timeout, which every command that reads dumps has.
#pragma once

#include "cli/values.hpp"
#include "heapcheck/limits.hpp"

namespace heapcheck::cli {

/// The limits in `values`; for options that are not given, the library's defaults. The time starts to run
/// now.
Limits make_limits(const Values& values);

/// Makes the system enforce the limits too, for what the readers do not count: the memory that the program
/// takes, which may be `shares` times the limit and the stacks of `threads`, and a run that does not end by
/// itself after the deadline, which then ends with the exit status `undecided`. Call this once.
void enforce(const Limits& limits, unsigned shares = 1, unsigned threads = 1);

}  // namespace heapcheck::cli
