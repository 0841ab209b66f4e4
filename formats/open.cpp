#include "formats/open.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/core/threads/parallel.hpp"
#include "formats/format.hpp"
#include "formats/text_mode.hpp"

namespace heapcheck::formats {
namespace {

/// Makes the error that states why no format can be detected. Damage around the content makes a file
/// unreadable.
std::unexpected<Error> fail_open(Error error) {
  const bool is_kept = error.kind == ErrorKind::unknown_format || is_limit(error.kind);
  if (!is_kept) error.kind = ErrorKind::unreadable;
  return std::unexpected(std::move(error));
}

/// Adds what is around content in an unknown format to the explanation, which begins with a verb.
std::string explain_content(Compression around, std::string explanation) {
  switch (around) {
    case Compression::gzip:
      return "is a gzip stream whose content " + explanation;
    case Compression::zstd:
      return "is zstd data whose content " + explanation;
    case Compression::zip:
      return "is a zip archive whose only file " + explanation;
    case Compression::html:
      return "is an HTML page whose trace " + explanation;
    case Compression::none:
      break;
  }
  return explanation;
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
  // An uncompressed pipe does not have to be read to its end, so no thread may wait for it.
  if (is_shared && input->compression != Compression::none)
    input->source = core::read_ahead(std::move(input->source));
  auto window = std::make_unique<core::Window>(
      *input->source, is_shared ? core::Window::shared_capacity : core::Window::default_capacity);
  const core::ByteSpan first_bytes = window->peek(detection_bytes);
  if (first_bytes.empty() && window->error()) return fail_open(*window->error());
  Detection detection = detect(first_bytes.first(std::min(first_bytes.size(), detection_bytes)));
  if (detection.is_guess && has_snapshot_header(window->look(late_header_bytes)))
    detection = {Format::v8_heapsnapshot, {}};
  if (detection.format == Format::v8_heapsnapshot) {
    if (auto part = explain_streamed_header(window->look(late_header_bytes)))
      detection = {std::nullopt, std::move(*part), true};
  }
  if (!detection.format && window->error()) return fail_open(*window->error());
  if (!detection.format) {
    return std::unexpected(
        Error{detection.is_of_unknown_format ? ErrorKind::unknown_format : ErrorKind::unreadable,
              explain_content(input->compression, std::move(detection.explanation))});
  }
  OpenedInput opened{std::move(*input), nullptr, std::move(window), std::move(detection)};
  const mvmheap::Version* const version = info_of(*opened.detection.format).version;
  if (version != nullptr && is_text_mode(*opened.window, *version, limits)) {
    const std::size_t capacity = opened.window->capacity();
    opened.text_mode = std::make_unique<core::TextModeSource>(std::move(opened.window));
    opened.window = std::make_unique<core::Window>(*opened.text_mode, capacity);
  }
  return opened;
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

Result<OpenedInput> RereadableDump::open_bytes() const {
  return formats::open(std::make_unique<core::RangeSource>(*source_, 0), limits_);
}

namespace {

/// Reads all parts, because names may come after the snapshot that uses them, and the tables are not complete
/// until the end.
Result<mvmheap::FoundSnapshot> find_by_scanning(mvmheap::DumpReader& reader, std::uint64_t index) {
  std::optional<mvmheap::FoundSnapshot> found;
  std::uint64_t count = 0;
  while (mvmheap::Part* const part = reader.read_part()) {
    if (!part->has_snapshot) continue;
    ++count;
    if (part->index == index && !found)
      found = mvmheap::FoundSnapshot{.part = std::move(*part), .tables = {}};
    part->snapshot = {};  // otherwise, its columns would count towards the memory limit of the next part
  }
  if (!found) return std::unexpected(make_missing_snapshot(index, count));
  found->tables = reader.tables();
  if (const mvmheap::FileMeta* const meta = reader.file_meta()) found->file_meta = *meta;
  return std::move(*found);
}

}  // namespace

Error make_missing_snapshot(std::uint64_t index, std::uint64_t count) {
  return {ErrorKind::unsupported,
          count == 1 ? fmt::format("no snapshot {}: found 1 snapshot, which is number 0", index)
                     : fmt::format("no snapshot {}: found {} snapshots, counted from 0", index, count)};
}

Result<mvmheap::FoundSnapshot> read_snapshot(core::SeekableSource& source, const Limits& limits,
                                             std::uint64_t index) {
  core::SilentSink sink;
  auto dump = open_mvmheap(source, limits, sink);
  if (!dump) return std::unexpected(std::move(dump.error()));
  const mvmheap::Version& version = *info_of(dump->format).version;
  const bool is_as_written = dump->input.input.compression == Compression::none && !dump->input.text_mode;
  if (is_as_written && version.find_snapshot != nullptr) {
    if (auto found = version.find_snapshot(source, limits, index)) return std::move(*found);
  }
  return find_by_scanning(*dump->reader, index);
}

}  // namespace heapcheck::formats
