// Reads values of a trace before their turn on several threads. Looks for the keys of such values in the next
// bytes, and reads each value that does not extend beyond the next key. A value is used only if it is
// well-formed and no findings were reported while reading it. All other values are read again when it is
// their turn. Owns the values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/core/bytes.hpp"
#include "formats/core/finding_sink.hpp"
#include "formats/core/json/input.hpp"
#include "formats/core/json/reader.hpp"
#include "formats/core/source.hpp"
#include "formats/core/threads/parallel.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::chrome {

/// A key that was found in the bytes of a trace without reading their JSON. It may also be inside a string.
struct FoundKey {
  std::size_t key = 0;  ///< the number of the key
  std::size_t at = 0;   ///< the number of bytes before its colon
};

/// The places in `bytes` where a quoted key is followed by `:{`. If the bytes begin with `:{`, the first
/// place belongs to the key `first`.
[[nodiscard]] std::vector<FoundKey> find_keys(core::ByteSpan bytes, std::span<const std::string_view> keys,
                                              std::size_t first);

template <class Value>
class ValuesAhead {
 public:
  /// Reads, within the limits, a value whose key has this number. Called by several threads at the same time.
  using Read = std::function<Value(std::size_t key, core::JsonReader&, core::FindingSink&, const Limits&)>;

  ValuesAhead(const Limits& limits, std::span<const std::string_view> keys, Read read)
      : limits_(limits), keys_(keys), read_(std::move(read)) {}

  /// `key` is the number of the current key of `json`. If the value of this key was read ahead and `accept`
  /// returns true for it, returns the value and moves past it. Otherwise, `json` only loses its current text
  /// and span. The values that are read ahead share `room` bytes of memory.
  template <class Accept>
  std::optional<Value> take(core::JsonReader& json, std::size_t key, std::uint64_t room,
                            const Accept& accept) {
    if (limits_.max_threads < 2 || rejected_ >= most_rejected) return std::nullopt;
    if (json.peek_members().empty()) return std::nullopt;
    const std::uint64_t offset = json.span().offset;
    if (offset >= end_) look_ahead(json, key, room);
    for (; next_ < ready_.size() && ready_[next_].span.offset < offset; ++next_) ++rejected_;
    if (next_ == ready_.size() || ready_[next_].span.offset != offset) return std::nullopt;
    Ready& ready = ready_[next_++];
    if (!ready.value || !accept(*ready.value)) {
      ++rejected_;
      return std::nullopt;
    }
    json.take_members(static_cast<std::size_t>(ready.span.length));
    ++taken_;
    return std::exchange(ready.value, std::nullopt);
  }

  [[nodiscard]] std::uint64_t taken() const { return taken_; }  ///< the number of values that take() returned

 private:
  struct Ready {
    Span span;  ///< the span that starts at the colon
    std::optional<Value> value;
  };
  static constexpr std::size_t least_ahead = std::size_t{2} << 20;
  static constexpr std::size_t most_ahead = std::size_t{16} << 20;
  static constexpr std::size_t values_per_thread = 4;
  static constexpr std::size_t least_keys = 3;  // two values and a key after them
  /// A reader may behave differently if fewer bytes than this are visible after a value.
  static constexpr std::size_t sight = core::json::Input::sight;
  static constexpr std::size_t window_bytes = std::size_t{32} << 10;
  /// After this many failed attempts to find or read values ahead, nothing more is read ahead.
  static constexpr std::size_t most_rejected = 16;

  struct View {
    core::ByteSpan bytes;
    bool has_end = false;  ///< whether the input ends there
    std::vector<FoundKey> found;
  };

  /// Finds values, and looks further ahead if there are only a few.
  [[nodiscard]] View find_values(core::JsonReader& json, std::size_t key) {
    for (;; ahead_ *= 2) {
      const core::ByteSpan bytes = json.peek_members(ahead_);
      View view{bytes, bytes.size() < ahead_, find_keys(bytes, keys_, key)};
      const bool has_many = view.found.size() > values_per_thread * limits_.max_threads;
      if (has_many || view.has_end || ahead_ >= most_ahead) return view;
    }
  }

  /// Reads the values before the last key, because the last value may not be completely visible.
  void look_ahead(core::JsonReader& json, std::size_t key, std::uint64_t room) {
    const View view = find_values(json, key);
    const std::uint64_t offset = json.span().offset;
    end_ =
        offset + (view.found.size() < 2 ? std::max<std::size_t>(view.bytes.size(), 1) : view.found.back().at);
    ready_.clear();
    next_ = 0;
    if (view.found.size() < least_keys) {
      ++rejected_;
      return;
    }
    ready_.resize(view.found.size() - 1);
    Limits limits = limits_;
    limits.max_json_depth -= std::min<std::uint64_t>(limits.max_json_depth, json.depth());
    limits.max_memory = room / ready_.size();
    core::run_parallel(limits.max_threads, ready_.size(),
                       [&](std::size_t i) { ready_[i] = read(view, i, offset, limits); });
  }

  [[nodiscard]] Ready read(const View& view, std::size_t i, std::uint64_t offset,
                           const Limits& limits) const {
    const FoundKey& found = view.found[i];
    const std::size_t end = std::min(view.found[i + 1].at + sight, view.bytes.size());
    core::MemorySource source(view.bytes.subspan(found.at + 1, end - found.at - 1));
    core::Window window(source, window_bytes, offset + found.at + 1);
    core::JsonReader json(window, limits, core::make_json_options(limits));
    core::SilentSink silent;
    core::Tally findings(silent, Severity::note);
    Ready ready{{offset + found.at, 0}, read_(found.key, json, findings, limits)};
    ready.span.length = json.span().end() - ready.span.offset;
    const bool is_whole = json.token() == core::JsonToken::object_end && json.depth() == 0;
    const bool is_seen = view.has_end || found.at + ready.span.length + sight <= view.bytes.size();
    if (!is_whole || !is_seen || !findings.clean()) ready.value.reset();
    return ready;
  }

  Limits limits_;
  std::span<const std::string_view> keys_;
  Read read_;
  std::size_t ahead_ = least_ahead;  // number of bytes
  std::uint64_t end_ = 0;            // the end of the examined bytes
  std::vector<Ready> ready_;
  std::size_t next_ = 0;
  std::size_t rejected_ = 0;
  std::uint64_t taken_ = 0;
};

}  // namespace heapcheck::chrome
