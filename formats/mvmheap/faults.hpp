// The rules on reading that versions 2 and 3 of MoarVM dumps share.
#pragma once

#include <array>

#include "heapcheck/types/finding.hpp"

namespace heapcheck::mvmheap::rules {

// One line per member, however long.
// clang-format off
inline constexpr Rule file_text_mode{
    .id = "mvm.file.text-mode", .severity = Severity::error, .stage = Stage::read,
    .title = "the file was written in binary mode",
    .reason = "Every byte 0a became the two bytes 0d 0a, so sections and blocks are not where a reader expects them.",
    .example = "a count of 10 that is stored as `0d 0a 00 00 00 00 00 00 00`",
    .advice = "Run heapcheck recover: it removes the added bytes, and nothing is lost. MoarVM on Windows writes all its heap dumps in this way. If you write such files, open them in binary mode.",
    .anchor = "mvmheap/v2.md#text-mode", .since = "0.2"};
inline constexpr std::array faults{&file_text_mode};
// clang-format on

}  // namespace heapcheck::mvmheap::rules
