// Keys by which the findings of one report are found again in a later one, although the file has changed.
#pragma once

#include <string>
#include <vector>

#include "heapcheck/types/report.hpp"

namespace heapcheck::validation {

/// The key of each finding: the id of its rule, its path and its message, in which each number is replaced by
/// `*`, and, for the second and later findings with the same text, their number. So it does not change if the
/// finding moves to another offset or row, or if findings of a different rule come before it. Readable text
/// of one line. spec: diagnostics.md#fingerprints
std::vector<std::string> make_fingerprints(const Report& report);

}  // namespace heapcheck::validation
