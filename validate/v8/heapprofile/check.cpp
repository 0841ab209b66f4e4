#include "validate/v8/heapprofile/check.hpp"

#include <algorithm>
#include <span>

#include "formats/v8/heapprofile/faults.hpp"
#include "formats/v8/heapprofile/reader.hpp"
#include "validate/v8/heapprofile/rules.hpp"

namespace heapcheck::validation::v8::heapprofile {

namespace {

/// Checks the profile, given the rules that were violated while it was read.
void check_profile(const format::Reading& reading, std::span<const Rule* const> violated,
                   core::FindingSink& sink) {
  const bool is_sound = reading.container.head_is_sound;
  const bool has_wrong_ids =
      std::ranges::find(violated, &heapcheck::v8::heapprofile::rules::node_id) != violated.end();
  for (const auto check_part : checks) check_part(reading, sink);
  const bool has_ids = reading.container.head && !has_wrong_ids && check_missing_ids(reading, sink);
  if (has_ids && is_sound) return check_sample_nodes(reading, sink);
  if (reading.profile.samples.count() != 0)
    sink.skip({"/samples", is_sound ? "not all nodes have an id" : "the tree is damaged or incomplete"});
}

}  // namespace

format::Reading check(core::Window& window, const Limits& limits, core::FindingSink& sink,
                      const ReaderProfile& reader) {
  core::Tally tally(sink);
  format::Reading reading = format::read_profile(window, limits, tally);
  if (reader.which == Reader::speedscope) check_depth_for_speedscope(reading, reader, sink);
  check_profile(reading, tally.rules(), sink);
  return reading;
}

}  // namespace heapcheck::validation::v8::heapprofile
