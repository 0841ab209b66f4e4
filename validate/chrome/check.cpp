#include "validate/chrome/check.hpp"

#include "formats/read_trace.hpp"
#include "validate/chrome/heaps_v2/check.hpp"
#include "validate/chrome/legacy/check.hpp"

namespace heapcheck::validation::chrome {

formats::Trace check(core::Window& window, const Limits& limits, core::FindingSink& sink) {
  core::Tally tally(sink);
  formats::Trace trace = formats::read_trace(window, limits, tally);
  if (trace.lacks_memory) return trace;  // otherwise, the rules would report the missing parts
  if (trace.container.is_complete && trace.container.has_events && tally.clean() && !trace.has_dumps()) {
    sink.report({&rules::dumps_none, {{trace.container.events}}, "the trace " + trace.describe_lack()});
  }
  heaps_v2::check(trace.heaps_v2, limits.max_threads, tally);
  legacy::check(trace.legacy, trace.container.is_complete, limits.max_threads, tally);
  return trace;
}

}  // namespace heapcheck::validation::chrome
