// Reads values of a trace before their turn, on several threads: looks for the keys of such values in the
// bytes that come next, and reads each value up to the next key. A value counts only if it is well-formed and
// reading it reports nothing; the others are read again when it is their turn. Borrows the JSON reader and
// owns the values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/core/bytes.hpp"
#include "formats/core/finding_sink.hpp"
#include "formats/core/json/reader.hpp"
#include "formats/core/source.hpp"
#include "formats/core/threads/parallel.hpp"
#include "heapcheck/limits.hpp"

namespace heapcheck::chrome {

/// A key that was found: its number, and the bytes after it, up to the next one.
struct FoundKey {
  std::size_t key = 0;
  std::size_t at = 0;  ///< the number of bytes before its colon
  core::ByteSpan bytes;
};

/// The places in `bytes` where a quoted key is followed by `:{`; the first one is that of `first` if the
/// bytes begin with `:{`.
[[nodiscard]] std::vector<FoundKey> find_keys(core::ByteSpan bytes, std::span<const std::string_view> keys,
                                              std::size_t first);

/// Remembers whether anything was reported.
class AnyFinding final : public core::FindingSink {
 public:
  void report(Finding) override { has_any_ = true; }
  void skip(Skip) override { has_any_ = true; }
  void report_more(const Rule&, std::uint64_t count) override { has_any_ = has_any_ || count != 0; }
  [[nodiscard]] std::uint64_t wanted(const Rule&) const override { return 0; }
  [[nodiscard]] bool has_any() const { return has_any_; }

 private:
  bool has_any_ = false;
};

template <class Value>
class ValuesAhead {
 public:
  /// Reads a value with the key of this number. Called by several threads at the same time.
  using Read = std::function<Value(std::size_t key, core::JsonReader&, core::FindingSink&)>;
  /// Called for each value in order, while later ones are still read.
  using Prepare = std::function<void(Value&)>;

  ValuesAhead(const Limits& limits, std::span<const std::string_view> keys, Read read, Prepare prepare)
      : limits_(limits), keys_(keys), read_(std::move(read)), prepare_(std::move(prepare)) {}

  /// Returns the value of the current key of `json`, which has this number, and moves after it, if it was
  /// read ahead and `accept` returns true for it and its length in bytes.
  template <class Accept>
  std::optional<Value> take(core::JsonReader& json, std::size_t key, const Accept& accept) {
    if (limits_.max_threads < 2 || rejected_ == most_rejected) return std::nullopt;
    if (json.peek_members().empty()) return std::nullopt;
    const std::uint64_t offset = json.span().offset;
    if (offset >= end_) look_ahead(json, key);
    while (next_ < ready_.size() && ready_[next_].span.offset < offset) ++next_;
    if (next_ == ready_.size() || ready_[next_].span.offset != offset) return std::nullopt;
    Ready& ready = ready_[next_++];
    if (!ready.value || !accept(*ready.value, ready.span.length)) {
      ++rejected_;
      return std::nullopt;
    }
    json.take_members(static_cast<std::size_t>(ready.span.length));
    return std::exchange(ready.value, std::nullopt);
  }

 private:
  struct Ready {
    Span span;  ///< from the colon on
    std::optional<Value> value;
  };

  static constexpr std::size_t least_ahead = std::size_t{2} << 20;
  static constexpr std::size_t most_ahead = std::size_t{16} << 20;
  static constexpr std::size_t values_per_thread = 4;
  /// The window of a value that is read ahead is small, because new memory is slow.
  static constexpr std::size_t window_bytes = std::size_t{32} << 10;
  /// If many values were read in vain, nothing more is read ahead.
  static constexpr std::size_t most_rejected = 16;

  /// Finds values, looking further ahead if there are few. The last one may not be visible as a whole.
  [[nodiscard]] std::vector<FoundKey> find_values(core::JsonReader& json, std::size_t key) {
    for (;; ahead_ *= 2) {
      const core::ByteSpan bytes = json.peek_members(ahead_);
      std::vector<FoundKey> found = find_keys(bytes.first(std::min(bytes.size(), ahead_)), keys_, key);
      const bool has_many = found.size() > values_per_thread * limits_.max_threads;
      if (!has_many && bytes.size() >= ahead_ && ahead_ < most_ahead) continue;
      const std::size_t seen =
          found.empty() ? std::min(bytes.size(), ahead_) : std::max<std::size_t>(found.back().at, 1);
      end_ = json.span().offset + seen;
      if (!found.empty()) found.pop_back();
      return found;
    }
  }

  void look_ahead(core::JsonReader& json, std::size_t key) {
    const std::vector<FoundKey> found = find_values(json, key);
    const std::uint64_t offset = json.span().offset;
    Limits limits = limits_;
    limits.max_json_depth -= std::min<std::uint64_t>(limits.max_json_depth, json.depth());
    ready_.clear();
    ready_.resize(found.size());
    next_ = 0;
    core::run_in_order(
        limits.max_threads, found.size(),
        [&](std::size_t i) { ready_[i] = read(found[i], offset + found[i].at, limits); },
        [&](std::size_t i) {
          if (ready_[i].value) prepare_(*ready_[i].value);
        });
  }

  [[nodiscard]] Ready read(const FoundKey& found, std::uint64_t offset, const Limits& limits) const {
    core::MemorySource source(found.bytes.subspan(1));
    core::Window window(source, window_bytes, offset + 1);
    core::JsonReader json(window, limits, core::make_json_options(limits));
    AnyFinding findings;
    Ready ready{{offset, 0}, read_(found.key, json, findings)};
    ready.span.length = json.span().end() - offset;
    const bool is_whole = json.token() == core::JsonToken::object_end && json.depth() == 0;
    if (!is_whole || findings.has_any()) ready.value.reset();
    return ready;
  }

  Limits limits_;
  std::span<const std::string_view> keys_;
  Read read_;
  Prepare prepare_;
  std::size_t ahead_ = least_ahead;  // number of bytes
  std::uint64_t end_ = 0;            // of what has been looked at
  std::vector<Ready> ready_;
  std::size_t next_ = 0;
  std::size_t rejected_ = 0;
};

}  // namespace heapcheck::chrome
