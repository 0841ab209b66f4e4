// The rules about what is around a file, the same for all formats.
#pragma once

#include "heapcheck/finding.hpp"

namespace heapcheck::core::rules {

inline constexpr Rule input_compression{"input.compression.damaged",
                                        Severity::error,
                                        Stage::read,
                                        "the compression around a file is whole",
                                        "What follows the damage cannot be read.",
                                        "diagnostics.md#compression",
                                        "0.1"};

}  // namespace heapcheck::core::rules
