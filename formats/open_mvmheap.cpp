#include "formats/open_mvmheap.hpp"

#include <algorithm>
#include <utility>

#include "formats/detect.hpp"
#include "formats/format.hpp"

namespace heapcheck::formats {
Result<OpenedDump> open_mvmheap(core::SeekableSource& source, const Limits& limits, core::FindingSink& sink) {
  auto input = core::unwrap(std::make_unique<core::RangeSource>(source, 0), limits);
  if (!input) return std::unexpected(std::move(input.error()));
  auto window = std::make_unique<core::Window>(*input->source);
  const core::ByteSpan first_bytes = window->peek(detection_bytes);
  if (first_bytes.empty() && window->error()) return std::unexpected(*window->error());
  const auto detection = detect(first_bytes.first(std::min(first_bytes.size(), detection_bytes)));
  if (!detection.format) return std::unexpected(Error{ErrorKind::unreadable, detection.explanation});
  const mvmheap::Version* const version = info_of(*detection.format).version;
  if (version == nullptr) return std::unexpected(Error{ErrorKind::unreadable, "is no MoarVM heap dump"});
  auto reader = version->make_reader(*window, limits, sink);
  return OpenedDump{std::move(*input), std::move(window), *detection.format, std::move(reader)};
}

}  // namespace heapcheck::formats
