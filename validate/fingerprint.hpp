// Keys that identify the findings of one report in a later one, even if the file has changed.
#pragma once

#include <string>
#include <vector>

#include "heapcheck/types/report.hpp"

namespace heapcheck::validation {

/// The key of each finding: the id of its rule, its path and its message, in which each number is replaced by
/// `*`, and, for the second and later findings with the same text, their number. The key does not change if
/// the finding moves to another offset or row, or if findings of a different rule precede it. It is one line
/// of readable text. spec: diagnostics.md#fingerprints
std::vector<std::string> make_fingerprints(const Report& report);

}  // namespace heapcheck::validation
