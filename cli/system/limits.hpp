// The limits set by --max-memory, --max-expanded and --timeout, which every command that reads dumps has.
#pragma once

#include <string>
#include <system_error>

#include "cli/system/sandbox.hpp"
#include "cli/values.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::cli {

/// The limits in `values`, with the library's defaults for options that are not given. The time starts
/// running now.
Limits make_limits(const Values& values);

/// Makes the operating system enforce the memory limit as well, to cover memory that the readers do not
/// count. The program may use `shares` times the limit, plus the stacks of `threads`. Call this once.
void enforce_memory(const Limits& limits, unsigned shares = 1, unsigned threads = 1);

/// The options that every command that reads dumps has.
struct Reading {
  Limits limits;
  bool is_quiet = false;
  bool shows_progress = true;
  bool has_sandbox = true;
};
Reading make_reading(const Values& values);

/// Enforces the limits and enters the sandbox. Call this once, before anything is read.
void begin_reading(const Reading& reading, const Access& access);

/// Makes sure that a run ends after the deadline, with the `undecided` exit status, even if it would not end
/// by itself, for example because a pipe delivers no data. Call this once, before anything is read.
void enforce_deadline(const Limits& limits);

/// What to tell users about an error of the operating system, such as that no thread can be started.
std::string describe_system_error(const std::system_error& error);

}  // namespace heapcheck::cli
