#include "validate/format_checks.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "validate/chrome/check.hpp"
#include "validate/mvmheap/v1/check.hpp"
#include "validate/mvmheap/v2/check.hpp"
#include "validate/mvmheap/v3/check.hpp"
#include "validate/v8/heapprofile/check.hpp"
#include "validate/v8/heapsnapshot/check.hpp"

namespace heapcheck::validation {
namespace {

formats::Model make_model(std::optional<heapcheck::mvmheap::KeptDump> dump) {
  if (!dump) return {};
  return std::move(*dump);
}

template <auto check>
formats::Model check_mvmheap(core::Window& window, const Options& options, core::FindingSink& sink) {
  return make_model(check(window, options.limits, sink, heapcheck::mvmheap::PartKeeper(options.max_kept),
                          options.reader.which));
}

formats::Model check_mvmheap_v2(core::Window& window, const Options& options, core::FindingSink& sink) {
  return make_model(
      mvmheap::v2::check(window, options.limits, sink, heapcheck::mvmheap::PartKeeper(options.max_kept)));
}

formats::Model check_trace(core::Window& window, const Options& options, core::FindingSink& sink) {
  return chrome::check(window, options.limits, sink);
}

formats::Model check_heapprofile(core::Window& window, const Options& options, core::FindingSink& sink) {
  return v8::heapprofile::check(window, options.limits, sink, options.reader);
}

formats::Model check_heapsnapshot(core::Window& window, const Options& options, core::FindingSink& sink) {
  return v8::heapsnapshot::check(window, options.limits, sink, options.reader);
}

struct FormatCheck {
  Format format;
  formats::Model (*check)(core::Window& window, const Options& options, core::FindingSink& sink);
};

constexpr std::array checks{
    FormatCheck{Format::mvmheap_v1, check_mvmheap<mvmheap::v1::check>},
    FormatCheck{Format::mvmheap_v2, check_mvmheap_v2},
    FormatCheck{Format::mvmheap_v3, check_mvmheap<mvmheap::v3::check>},
    FormatCheck{Format::chrome_trace, check_trace},
    FormatCheck{Format::chrome_legacy, check_trace},
    FormatCheck{Format::heaps_v2, check_trace},
    FormatCheck{Format::v8_heapprofile, check_heapprofile},
    FormatCheck{Format::v8_heapsnapshot, check_heapsnapshot},
};

}  // namespace

bool has_checks(Format format) {
  return std::ranges::find(checks, format, &FormatCheck::format) != checks.end();
}

formats::Model check_format(Format format, core::Window& window, const Options& options,
                            core::FindingSink& sink) {
  return std::ranges::find(checks, format, &FormatCheck::format)->check(window, options, sink);
}

}  // namespace heapcheck::validation
