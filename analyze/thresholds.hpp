// Conditions about changes, such as `type="Foo": count > +1000`. docs/asking.md describes them.
#pragma once

#include <string_view>
#include <vector>

#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::analyze {

/// Errors: unsupported; the message names the word that is not understood, its place, and what is expected.
[[nodiscard]] Result<Threshold> parse_threshold(std::string_view text);

/// The series that the condition holds for, in the same order: `whole` if it names no type. If it names a
/// type that none of `all` has, it is about a series of zeros.
[[nodiscard]] std::vector<Series> find_violations(const std::vector<Series>& all, const Series& whole,
                                                  const Threshold& threshold);

}  // namespace heapcheck::analyze
