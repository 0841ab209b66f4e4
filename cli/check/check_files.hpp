// Checks files on several threads, and hands over their reports in order, as soon as each is at the front.
// At most a fixed number of reports waits, however many files there are.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/system/files.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {

struct CheckedFile {
  InputFile target;
  Report report;
  std::vector<std::uint64_t> lines;  ///< of the findings; see NamedReport
  double seconds = 0;                ///< how long the check took; 0 if the report was kept
};

class Cache;

struct CheckOptions {
  std::function<ValidateOptions(const std::string& path)> options_for;  ///< called by several threads
  unsigned jobs = 1;
  bool finds_lines = false;
  bool shows_progress = false;
  const Cache* cache = nullptr;  ///< of earlier reports; may be null
};

/// Calls `take` with each file, in the order of `targets`, by one thread at a time. Stops soon after it has
/// returned false. Throws std::bad_alloc if there is no memory even for the report on a file.
void check_files(std::span<const InputFile> targets, const CheckOptions& options,
                 const std::function<bool(CheckedFile&)>& take);

/// How much memory the program may take while it checks the files, in units of the limit for one: what
/// several threads read ahead in a file may take as much again.
unsigned count_shares(unsigned jobs, std::size_t file_count);

}  // namespace heapcheck::cli
