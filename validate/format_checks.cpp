// Runs the checks for a format: one case per format.
#include <optional>
#include <utility>

#include "validate/chrome/check.hpp"
#include "validate/mvmheap/v1/check.hpp"
#include "validate/mvmheap/v2/check.hpp"
#include "validate/mvmheap/v3/check.hpp"
#include "validate/v8/heapprofile/check.hpp"
#include "validate/v8/heapsnapshot/check.hpp"
#include "validate/validate.hpp"

namespace heapcheck::validation {
namespace {

using heapcheck::mvmheap::PartKeeper;

formats::Model make_model(std::optional<heapcheck::mvmheap::KeptDump> dump) {
  if (!dump) return {};
  return std::move(*dump);
}

}  // namespace

formats::Model check_format(Format format, core::Window& window, const Options& options,
                            core::FindingSink& sink) {
  const Limits& limits = options.limits;
  const ReaderProfile& reader = options.reader;
  switch (format) {
    case Format::mvmheap_v1:
      return make_model(mvmheap::v1::check(window, limits, sink, PartKeeper(options.max_kept), reader.which));
    case Format::mvmheap_v2:
      return make_model(mvmheap::v2::check(window, limits, sink, PartKeeper(options.max_kept)));
    case Format::mvmheap_v3:
      return make_model(mvmheap::v3::check(window, limits, sink, PartKeeper(options.max_kept), reader.which));
    // The kinds of heap dumps in a trace are not known until the whole trace has been read.
    case Format::chrome_trace:
    case Format::chrome_legacy:
    case Format::heaps_v2:
      return chrome::check(window, limits, sink);
    case Format::v8_heapprofile:
      return v8::heapprofile::check(window, limits, sink, reader);
    case Format::v8_heapsnapshot:
      return v8::heapsnapshot::check(window, limits, sink, reader);
  }
  return {};
}

}  // namespace heapcheck::validation
