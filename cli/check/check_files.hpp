// Checks files on several threads and hands over the reports in order, each as soon as all reports before it
// have been handed over. The number of waiting reports is limited, no matter how many files there are.
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
  std::vector<std::uint64_t> lines;  ///< the lines of the findings; see NamedReport
  double seconds = 0;                ///< how long the check took; 0 if the report was kept
};

class Cache;

struct CheckOptions {
  std::function<ValidateOptions(const std::string& path)> options_for;  ///< called by several threads
  unsigned jobs = 1;
  bool finds_lines = false;
  bool shows_progress = false;
  const Cache* cache = nullptr;  ///< a cache of earlier reports; may be null
};

/// Calls `take` for each file in the order of `targets`, from one thread at a time. Stops soon after `take`
/// returns false. Throws std::bad_alloc if there is not even enough memory for the report on a file.
void check_files(std::span<const InputFile> targets, const CheckOptions& options,
                 const std::function<bool(CheckedFile&)>& take);

/// How much memory the program may use while it checks the files, as a multiple of the limit for one file. If
/// several threads read ahead in a file, their data may take up as much memory again.
unsigned count_shares(unsigned jobs, std::size_t file_count);

}  // namespace heapcheck::cli
