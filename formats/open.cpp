#include "formats/open.hpp"

#include <algorithm>
#include <utility>

#include "formats/core/threads/ahead_source.hpp"
#include "formats/format.hpp"

namespace heapcheck::formats {
namespace {

/// The reason why no format can be detected. Damage around the content makes a file unreadable.
std::unexpected<Error> fail_open(Error error) {
  const bool is_kept = error.kind == ErrorKind::unknown_format || is_limit(error.kind);
  if (!is_kept) error.kind = ErrorKind::unreadable;
  return std::unexpected(std::move(error));
}

}  // namespace

Result<core::Input> unwrap(std::unique_ptr<core::ByteSource> raw, const Limits& limits) {
  return core::unwrap(std::move(raw), limits,
                      [](core::ByteSpan first_bytes) { return detect(first_bytes).format.has_value(); });
}

Result<OpenedInput> open(std::unique_ptr<core::ByteSource> raw, const Limits& limits) {
  auto input = formats::unwrap(std::move(raw), limits);
  if (!input) return fail_open(input.error());
  const bool is_shared = limits.max_threads > 1;
  // A pipe that is not compressed need not be read to its end, so no thread may wait for it.
  if (is_shared && input->compression != Compression::none)
    input->source = std::make_unique<core::AheadSource>(std::move(input->source));
  auto window = std::make_unique<core::Window>(
      *input->source, is_shared ? core::Window::shared_capacity : core::Window::default_capacity);
  const core::ByteSpan first_bytes = window->peek(detection_bytes);
  if (first_bytes.empty() && window->error()) return fail_open(*window->error());
  Detection detection = detect(first_bytes.first(std::min(first_bytes.size(), detection_bytes)));
  if (detection.is_guess && has_snapshot_header(window->look(late_header_bytes)))
    detection = {Format::v8_heapsnapshot, {}};
  if (!detection.format && window->error()) return fail_open(*window->error());
  if (!detection.format) {
    return std::unexpected(
        Error{detection.is_of_unknown_format ? ErrorKind::unknown_format : ErrorKind::unreadable,
              std::move(detection.explanation)});
  }
  return OpenedInput{std::move(*input), std::move(window), std::move(detection)};
}

Result<OpenedDump> open_mvmheap(core::SeekableSource& source, const Limits& limits, core::FindingSink& sink) {
  auto input = open(std::make_unique<core::RangeSource>(source, 0), limits);
  if (!input) return std::unexpected(std::move(input.error()));
  const mvmheap::Version* const version = info_of(*input->detection.format).version;
  if (version == nullptr) return std::unexpected(Error{ErrorKind::unreadable, "is not a MoarVM heap dump"});
  auto reader = version->make_reader(*input->window, limits, sink);
  const Format format = *input->detection.format;
  return OpenedDump{format, std::move(*input), std::move(reader)};
}

Result<OpenedDump> RereadableDump::open(core::FindingSink& sink) const {
  if (kept_ == nullptr) return open_mvmheap(*source_, limits_, sink);
  return OpenedDump{kept_format_, {}, std::make_unique<mvmheap::KeptReader>(*kept_)};
}

}  // namespace heapcheck::formats
