// The conditions of `--fail-on` for suspects and leaks, such as `type="Session": count > 100`.
#pragma once

#include <string>
#include <vector>

#include "analyze/answers/options.hpp"
#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/result.hpp"
#include "heapcheck/types/suspects.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck::analyze::answers {

/// Parses the conditions. Errors: unsupported, also for a size or a change, which a suspect does not have.
[[nodiscard]] Result<std::vector<Threshold>> parse_suspect_conditions(const Options& options);

/// The same, to find errors before any file is read.
Result<void> check_suspect_conditions(const Options& options);

/// A suspect or leak as an answer describes it.
struct DescribedSuspect {
  const Suspect* suspect;  ///< never null
  std::string reason;
  std::string path;  ///< human-readable
};

/// Adds the outcome of each condition to the answer, with a violation and a remark for each suspect that
/// meets it. `file` is the name of the last dump.
void add_suspect_conditions(const Options& options, const std::vector<DescribedSuspect>& suspects,
                            const std::string& file, Answer& answer);

}  // namespace heapcheck::analyze::answers
