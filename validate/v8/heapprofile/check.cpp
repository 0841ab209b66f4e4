#include "validate/v8/heapprofile/check.hpp"

#include "formats/v8/heapprofile/reader.hpp"
#include "validate/v8/heapprofile/rules.hpp"

namespace heapcheck::validation::v8::heapprofile {

namespace {

void check_profile(const format::Reading& reading, core::FindingSink& sink) {
  const bool is_sound = reading.container.head_is_sound;
  for (const auto check_part : checks) check_part(reading, sink);
  const bool has_ids = is_sound && check_missing_ids(reading, sink);
  if (has_ids) return check_sample_nodes(reading, sink);
  if (reading.profile.samples.count() != 0)
    sink.skip({"/samples", is_sound ? "not all nodes have an id" : "the tree is damaged or incomplete"});
}

}  // namespace

format::Reading check(core::Window& window, const Limits& limits, core::FindingSink& sink,
                      const ReaderProfile& reader) {
  format::Reading reading = format::read_profile(window, limits, sink);
  if (reader.which == Reader::speedscope) check_depth_for_speedscope(reading, reader, sink);
  check_profile(reading, sink);
  return reading;
}

}  // namespace heapcheck::validation::v8::heapprofile
