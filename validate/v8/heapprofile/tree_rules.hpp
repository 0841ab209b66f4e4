// Checks the tree of a V8 sampling heap profile.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/v8/heapprofile/reader.hpp"
#include "validate/readers.hpp"
#include "validate/v8/heapprofile/rules.hpp"

namespace heapcheck::validation::v8::heapprofile {

namespace format = heapcheck::v8::heapprofile;

void check_root(const format::Reading& reading, core::FindingSink& sink);
/// v8prof.size.sum: at the first node whose size makes the sum too large.
void check_node_sum(const format::Reading& reading, core::FindingSink& sink);
void check_lines(const format::Reading& reading, core::FindingSink& sink);
void check_unique_ids(const format::Reading& reading, core::FindingSink& sink);
/// Returns whether all nodes have ids; raises v8prof.node.id-missing. The tree must have been read without
/// errors.
bool check_missing_ids(const format::Reading& reading, core::FindingSink& sink);
/// v8prof.speedscope.depth.
void check_depth_for_speedscope(const format::Reading& reading, const ReaderProfile& reader,
                                core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapprofile
