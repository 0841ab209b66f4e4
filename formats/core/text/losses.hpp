// Lists what the target of a conversion or recovery cannot represent.
#pragma once

#include <span>
#include <string>

#include "heapcheck/types/result.hpp"

namespace heapcheck::core {

/// A line such as `  lost: nodes: 3 (...)` for each loss.
[[nodiscard]] std::string describe_losses(std::span<const Loss> losses);

}  // namespace heapcheck::core
