#include "analyze/summary/summary.hpp"

namespace heapcheck::analyze {

Summary summarise(Format format, core::Window& window, const Limits& limits) {
  Summary summary{.format = format, .facts = {}, .content = {}};
  ErrorCounter counter(summary);
  switch (family_of(format)) {
    case Family::mvmheap:
      summarise_mvmheap(format, window, limits, counter, summary);
      break;
    case Family::trace:
      summarise_trace(window, limits, counter, summary);
      break;
    case Family::v8_heapprofile:
      summarise_heapprofile(window, limits, counter, summary);
      break;
    case Family::v8_heapsnapshot:
      summarise_heapsnapshot(window, limits, counter, summary);
      break;
  }
  return summary;
}

}  // namespace heapcheck::analyze
