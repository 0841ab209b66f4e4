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

std::optional<formats::Model> make_model(mvmheap::CheckedDump checked) {
  if (checked.needs_columns) return std::nullopt;
  if (!checked.kept) return formats::Model{};
  return std::move(*checked.kept);
}

}  // namespace

std::optional<formats::Model> check_format(Format format, core::Window& window, const Options& options,
                                           bool can_read_again, core::FindingSink& sink) {
  const Limits& limits = options.limits;
  const ReaderProfile& reader = options.reader;
  // The rules for readers look at all sizes.
  const bool needs_all = !can_read_again || options.max_kept != 0 || reader.which != Reader::none;
  const auto columns = needs_all ? mvmheap::Columns::all : mvmheap::Columns::needed;
  switch (format) {
    case Format::mvmheap_v1:
      return make_model(
          mvmheap::v1::check(window, limits, sink, columns, PartKeeper(options.max_kept), reader.which));
    case Format::mvmheap_v2:
      return make_model(mvmheap::v2::check(window, limits, sink, columns, PartKeeper(options.max_kept)));
    case Format::mvmheap_v3:
      return make_model(
          mvmheap::v3::check(window, limits, sink, columns, PartKeeper(options.max_kept), reader.which));
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
