// Rules over the samples of a V8 sampling heap profile.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/v8/heapprofile/reader.hpp"
#include "validate/v8/heapprofile/rules.hpp"

namespace heapcheck::validation::v8::heapprofile {

namespace format = heapcheck::v8::heapprofile;

/// One finding for all samples of such nodes. All nodes must have ids.
void check_sample_nodes(const format::Reading& reading, core::FindingSink& sink);
/// v8prof.size.sum, at the first sample whose size takes the sum too far.
void check_sample_sum(const format::Reading& reading, core::FindingSink& sink);
/// One finding for all samples of such ordinals.
void check_ordinals(const format::Reading& reading, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapprofile
