// Completes words in the lines of the shell.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace heapcheck::cli {

/// The words that the last, unfinished word of `before` may be the start of, in the order of the tables or
/// the alphabet. `before` is the line up to the cursor. `type_names` is called for a condition on a type.
std::vector<std::string> complete(std::string_view before,
                                  const std::function<std::vector<std::string>()>& type_names);

}  // namespace heapcheck::cli
