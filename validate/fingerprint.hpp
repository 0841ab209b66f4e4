// Keys that identify the findings of one report in a later report, even if the file has changed.
#pragma once

#include <string>
#include <vector>

#include "heapcheck/types/report.hpp"

namespace heapcheck::validation {

/// The key of each finding: the id of its rule, its path, and its message with each number replaced by `*`.
/// If several findings have the same key, all but the first are numbered as well. The key does not change if
/// the finding moves to another offset or row, or if it comes after findings of a different rule. It is one
/// line of readable text. spec: diagnostics.md#fingerprints
std::vector<std::string> make_fingerprints(const Report& report);

/// The key of the reason why the input could not be read: the id of its rule and the message with each number
/// replaced. Of a limit, the key is the id alone, because where it is reached depends on the machine. Empty
/// if everything was checked. spec: diagnostics.md#fingerprints
std::string make_fingerprint_of_unchecked(const Report& report);

}  // namespace heapcheck::validation
