// Checks the samples of a V8 sampling heap profile.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/v8/heapprofile/reader.hpp"
#include "validate/v8/heapprofile/rules.hpp"

namespace heapcheck::validation::v8::heapprofile {

namespace format = heapcheck::v8::heapprofile;

/// v8prof.sample.node: one finding for all samples whose nodes are missing. All nodes must have ids.
void check_sample_nodes(const format::Reading& reading, core::FindingSink& sink);
/// v8prof.size.sum: at the first sample whose size makes the sum too large.
void check_sample_sum(const format::Reading& reading, core::FindingSink& sink);
/// v8prof.sample.ordinal: one finding for all samples that have the ordinal of an earlier sample.
void check_ordinals(const format::Reading& reading, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapprofile
