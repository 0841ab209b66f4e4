// Rules over the samples of a V8 sampling heap profile.
#pragma once

#include <array>

#include "formats/core/finding_sink.hpp"
#include "formats/v8/heapprofile/reader.hpp"

namespace heapcheck::validation::v8::heapprofile::rules {

inline constexpr Rule sample_node{
    .id = "v8prof.sample.node",
    .severity = Severity::note,
    .stage = Stage::check,
    .title = "the node of a sample is in the tree",
    .reason = "V8 drops nodes without live bytes before it writes the samples; these samples are in no view.",
    .anchor = "v8/heapprofile.md#samples",
    .since = "0.1",
};
inline constexpr Rule sample_ordinal{
    .id = "v8prof.sample.ordinal",
    .severity = Severity::note,
    .stage = Stage::check,
    .title = "the `ordinal` of a sample is its own",
    .reason = "Node.js itself writes six digits of it; the order of such samples in time is not known.",
    .anchor = "v8/heapprofile.md#samples",
    .since = "0.1",
};

inline constexpr std::array sample_rules{&sample_node, &sample_ordinal};

}  // namespace heapcheck::validation::v8::heapprofile::rules

namespace heapcheck::validation::v8::heapprofile {

namespace format = heapcheck::v8::heapprofile;

/// One finding for all samples of such nodes. All nodes must have ids.
void check_sample_nodes(const format::Reading& reading, core::FindingSink& sink);
/// v8prof.size.sum, at the first sample whose size takes the sum too far.
void check_sample_sum(const format::Reading& reading, core::FindingSink& sink);
/// One finding for all samples of such ordinals.
void check_ordinals(const format::Reading& reading, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapprofile
