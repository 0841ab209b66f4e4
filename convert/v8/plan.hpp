// Plans how to write one of V8's heap files as V8 itself would write it.
#pragma once

#include <cstdint>
#include <vector>

#include "convert/plan.hpp"

namespace heapcheck::conversion::v8 {

/// The loss of `unknown_members` members that V8 does not write; empty if the number is 0.
std::vector<Loss> find_losses(std::uint64_t unknown_members);

Result<Plan> make_heapsnapshot_plan(core::SeekableSource& source, formats::Content& content,
                                    const Request& request);
Result<Plan> make_heapprofile_plan(core::SeekableSource& source, formats::Content& content,
                                   const Request& request);

}  // namespace heapcheck::conversion::v8
