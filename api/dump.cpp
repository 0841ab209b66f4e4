#include "heapcheck/dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/guard.hpp"
#include "api/state.hpp"
#include "formats/core/source.hpp"
#include "formats/model.hpp"
#include "formats/open.hpp"
#include "heapcheck/source.hpp"

namespace heapcheck {
namespace {

class WatchedSource final : public core::ByteSource {
 public:
  WatchedSource(std::unique_ptr<core::ByteSource> source,
                std::function<void(std::uint64_t byte_count)> on_read)
      : source_(std::move(source)), on_read_(std::move(on_read)) {}

  Result<std::size_t> read(core::MutableByteSpan buffer) override {
    auto count = source_->read(buffer);
    if (count) on_read_(*count);
    return count;
  }
  bool rewind() override { return source_->rewind(); }

 private:
  std::unique_ptr<core::ByteSource> source_;
  std::function<void(std::uint64_t byte_count)> on_read_;
};

/// Does the same for a source that is read several times. Does not count bytes until start_counting() is
/// called.
class WatchedSeekableSource final : public core::SeekableSource {
 public:
  WatchedSeekableSource(std::unique_ptr<core::SeekableSource> source,
                        std::function<void(std::uint64_t byte_count)> on_read)
      : source_(std::move(source)), on_read_(std::move(on_read)) {}

  [[nodiscard]] std::uint64_t byte_count() const override { return source_->byte_count(); }
  Result<std::size_t> read_at(std::uint64_t offset, core::MutableByteSpan buffer) override {
    auto count = source_->read_at(offset, buffer);
    if (count && is_counting_ && on_read_) on_read_(*count);
    return count;
  }
  [[nodiscard]] std::optional<core::FileIdentity> identity() const override { return source_->identity(); }
  void start_counting() { is_counting_ = true; }

 private:
  std::unique_ptr<core::SeekableSource> source_;
  std::function<void(std::uint64_t byte_count)> on_read_;
  bool is_counting_ = false;  // false at first, because the bytes that identify the format are read again
                              // later
};

/// Checks what the caller's function returns, because readers rely on it.
class SourceOfCaller final : public core::SeekableSource {
 public:
  explicit SourceOfCaller(CallerSource source) : source_(std::move(source)) {}

  [[nodiscard]] std::uint64_t byte_count() const override { return source_.byte_count; }
  Result<std::size_t> read_at(std::uint64_t offset, core::MutableByteSpan buffer) override {
    if (offset >= source_.byte_count || buffer.empty()) return std::size_t{0};
    const auto rest = buffer.first(
        static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), source_.byte_count - offset)));
    auto count = source_.read_at(offset, rest);
    if (count && (*count == 0 || *count > rest.size()))
      return std::unexpected(
          Error{ErrorKind::unreadable,
                fmt::format("found {} bytes at offset {}, expected 1 to {}", *count, offset, rest.size())});
    return count;
  }

 private:
  CallerSource source_;
};

Result<Dump> open_input(std::string path, std::unique_ptr<core::SeekableSource> source,
                        const ReadOptions& options) {
  auto state = std::make_shared<Dump::State>();
  state->path = std::move(path);
  auto watched = std::make_unique<WatchedSeekableSource>(std::move(source), options.on_read);
  WatchedSeekableSource& counter = *watched;
  state->source = std::move(watched);
  state->options = options;
  auto input = formats::open(std::make_unique<core::RangeSource>(*state->source, 0), options.limits);
  if (!input) return std::unexpected(std::move(input.error()));
  state->detection = std::move(input->detection);
  state->format = *state->detection.format;
  state->compression = input->input.compression;
  counter.start_counting();
  return Dump(std::move(state));
}

/// Refuses data that is neither a dump nor anything in which a dump may come later: compressed data, an
/// archive or a page.
Result<void> check_start(core::ByteSpan start, const Limits& limits) {
  if (core::as_text(start).substr(0, formats::detection_bytes).contains('<')) return {};
  const auto make_source = [&] { return std::make_unique<core::MemorySource>(start); };
  const auto unwrapped = formats::unwrap(make_source(), limits);
  if (!unwrapped || unwrapped->compression != Compression::none) return {};
  const auto input = formats::open(make_source(), limits);
  if (input || input.error().kind != ErrorKind::unknown_format) return {};
  return std::unexpected(input.error());
}

/// Wraps the source so that every read is reported to `on_read`, unless that is empty.
std::unique_ptr<core::ByteSource> watch(std::unique_ptr<core::ByteSource> source,
                                        const std::function<void(std::uint64_t byte_count)>& on_read) {
  if (!on_read) return source;
  return std::make_unique<WatchedSource>(std::move(source), on_read);
}

}  // namespace

Result<std::unique_ptr<core::ByteSource>> open_once(const std::string& path, const ReadOptions& options) {
  if (path == "-") return watch(core::open_standard_input(), options.on_read);
  auto source = core::open_file(path);
  if (!source) return source;
  return watch(std::move(*source), options.on_read);
}

std::unique_ptr<core::ByteSource> read_again(const Dump::State& state) {
  return std::make_unique<core::RangeSource>(*state.source, 0);
}

const formats::Content* find_content(Dump::State& state) {
  if (!std::holds_alternative<std::monostate>(state.content->model)) return state.content.get();
  auto input = formats::open(read_again(state), state.options.limits);
  if (!input) return nullptr;
  core::SilentSink sink;
  *state.content =
      formats::read_content(*input->detection.format, *input->window, state.options.limits, sink);
  if (const auto* trace = std::get_if<formats::Trace>(&state.content->model)) state.format = trace->format();
  return state.content.get();
}

Result<Dump> open(const std::string& path, const ReadOptions& options) {
  return api::guard([&]() -> Result<Dump> {
    auto source = core::open_rereadable(
        path, options.limits, [&](core::ByteSpan start) { return check_start(start, options.limits); });
    if (!source) return std::unexpected(std::move(source.error()));
    return open_input(path, std::move(*source), options);
  });
}

Result<Dump> open_bytes(std::span<const std::uint8_t> bytes, const ReadOptions& options) {
  return api::guard([&] { return open_input({}, std::make_unique<core::MemorySource>(bytes), options); });
}

Result<Dump> open_source(CallerSource source, const ReadOptions& options) {
  return api::guard(
      [&] { return open_input({}, std::make_unique<SourceOfCaller>(std::move(source)), options); });
}

Format Dump::format() const { return state_->format; }
std::string_view Dump::title() const { return title_of(state_->format); }
Compression Dump::compression() const { return state_->compression; }
Snapshots Dump::snapshots() const { return Snapshots(make_snapshots(*this)); }

Result<Snapshot> Dump::snapshot(std::uint64_t index) const {
  const bool is_kept = !std::holds_alternative<std::monostate>(state_->content->model);
  if (family_of(state_->format) == Family::mvmheap && !is_kept) return find_snapshot(*state_, index);
  Snapshots all = snapshots();
  std::uint64_t count = 0;
  for (auto it = all.begin(); it != all.end(); ++it, ++count) {
    if (it->index() == index) return *it;
  }
  return std::unexpected(formats::make_missing_snapshot(index, count));
}

}  // namespace heapcheck
