#include "convert/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "convert/chrome/plan.hpp"
#include "convert/mvmheap/plan.hpp"
#include "convert/v8/plan.hpp"

namespace heapcheck::conversion {
namespace {

/// Returns the reason why the request cannot be fulfilled for a dump of that format, if there is one.
std::optional<std::string> find_misuse(Format format, const Request& request) {
  const std::vector<Target> targets = targets_of(family_of(format));
  if (std::ranges::find(targets, request.target) == targets.end()) {
    std::vector<std::string> names;
    for (const Target target : targets) names.push_back(name_of(target));
    return fmt::format("is of format {}, which cannot be converted to {}, only to {}", slug_of(format),
                       name_of(request.target), fmt::join(names, ", "));
  }
  if (request.keep_trace && family_of(format) != Family::trace)
    return fmt::format("is a {}, expected a trace, because only traces have other events to keep",
                       title_of(format));
  if ((request.threshold || request.share) && request.target.format != Format::chrome_legacy)
    return fmt::format("cannot be converted to {} with a threshold or a share, which are for chrome-legacy",
                       name_of(request.target));
  return std::nullopt;
}

}  // namespace

Result<Plan> make_plan(core::SeekableSource& source, Format format, formats::Content& content,
                       const Request& request) {
  if (auto misuse = find_misuse(format, request))
    return std::unexpected(Error{ErrorKind::unsupported, std::move(*misuse)});
  switch (family_of(format)) {
    case Family::mvmheap:
      return mvmheap::make_plan(source, format, content, request);
    case Family::trace:
      return chrome::make_plan(source, content, request);
    case Family::v8_heapprofile:
      return v8::make_heapprofile_plan(source, content, request);
    case Family::v8_heapsnapshot:
      return v8::make_heapsnapshot_plan(source, content, request);
  }
  return Plan{};
}

}  // namespace heapcheck::conversion
