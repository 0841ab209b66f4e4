// Checks files on several threads, and hands over each report in order, as soon as all reports before it have
// been handed over. At most a fixed number of reports wait, however many files there are.
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

/// Calls `take` with each file, in the order of `targets`, from one thread at a time. Stops soon after `take`
/// returns false. Throws std::bad_alloc if there is no memory even for the report on a file.
void check_files(std::span<const InputFile> targets, const CheckOptions& options,
                 const std::function<bool(CheckedFile&)>& take);

/// How much memory the program may use while it checks the files, as a multiple of the limit for one file. If
/// several threads read ahead in a file, their data may use the same amount again.
unsigned count_shares(unsigned jobs, std::size_t file_count);

}  // namespace heapcheck::cli
