// heapcheck info on V8 sampling heap profiles.
#include <fmt/format.h>

#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "cli/info_v8.hpp"
#include "formats/v8/heapprofile/reader.hpp"

namespace heapcheck::cli {
namespace {

namespace profile = v8::heapprofile;

/// Who wrote it, as far as its form and the names in it tell; empty where they do not.
std::string_view guess_producer(const profile::Reading& reading) {
  const profile::Form& form = reading.container.form;
  if (form.has_modules) return "DevTools, from native memory";
  if (form.flat_frames) return "an early version of Chrome";
  if (form.has_vscode) return "VS Code";
  if (form.numeric_scripts) return form.samples_first ? "Node.js, by v8.startHeapProfile()" : "xprofiler";
  const core::StringPool& strings = reading.profile.strings;
  for (const core::PoolIndex url : reading.profile.nodes.url) {
    if (url == profile::no_text) continue;
    const std::string_view text = strings[url];
    if (text.starts_with("node:")) return "Node.js 16 or later";
    if (text.starts_with("internal/")) return "Node.js before 16";
  }
  return {};
}

class HeapprofileInfo final : public Info {
 public:
  HeapprofileInfo(core::Window& window, const Limits& max) {
    ErrorCounter counter(*this);
    const profile::Reading reading = profile::read_profile(window, max, counter);
    format = Format::v8_heapprofile;
    byte_count = reading.container.byte_count;
    producer_ = guess_producer(reading);
    summary_ = profile::summarise(reading.profile);
    nodes_ = reading.profile.nodes.count();
    samples_ = reading.profile.samples.count();
    has_samples_ = reading.profile.has_samples;
    head_ = reading.container.head;
    samples_span_ = reading.container.samples;
  }

  void append_text(std::string& out) const override {
    auto to = std::back_inserter(out);
    if (!producer_.empty()) fmt::format_to(to, "  producer:      {} (a guess)\n", producer_);
    fmt::format_to(to, "  nodes:         {}\n  depth:         {}\n", nodes_, summary_.depth);
    fmt::format_to(to, "  functions:     {}\n  scripts:       {}\n", summary_.functions, summary_.scripts);
    fmt::format_to(to, "  heap bytes:    {}\n", describe(summary_.self_size));
    if (has_samples_)
      fmt::format_to(to, "  samples:       {}, of {} bytes\n", samples_, describe(summary_.sample_size));
    fmt::format_to(to, "\n  {:<13} {:>12} {:>12} {:>10}\n", "part", "offset", "bytes", "count");
    append_part(out, "head", head_, nodes_);
    append_part(out, "samples", samples_span_, samples_);
  }

  void write_json(core::JsonWriter& json) const override {
    if (!producer_.empty()) {
      json.key("producer");
      json.string(producer_);
    }
    write_member(json, "nodes", nodes_);
    write_member(json, "depth", summary_.depth);
    write_member(json, "functions", summary_.functions);
    write_member(json, "scripts", summary_.scripts);
    write_sum(json, "heap_bytes", summary_.self_size);
    if (has_samples_) {
      write_member(json, "samples", samples_);
      write_sum(json, "sample_bytes", summary_.sample_size);
    }
    json.key("parts");
    json.begin_array();
    write_part(json, "head", head_, nodes_);
    write_part(json, "samples", samples_span_, samples_);
    json.end_array();
  }

 private:
  static void append_part(std::string& out, std::string_view kind, const std::optional<Span>& span,
                          std::uint64_t count) {
    if (!span) return;
    fmt::format_to(std::back_inserter(out), "  {:<13} {:>12} {:>12} {:>10}\n", kind, span->offset,
                   span->length, count);
  }

  static void write_member(core::JsonWriter& json, std::string_view key, std::uint64_t value) {
    json.key(key);
    json.number(value);
  }

  static std::string describe(const std::optional<std::uint64_t>& sum) {
    return sum ? std::to_string(*sum) : "2^64 or more";
  }

  /// Null where 64 bits do not hold it.
  static void write_sum(core::JsonWriter& json, std::string_view key,
                        const std::optional<std::uint64_t>& sum) {
    if (sum) return write_member(json, key, *sum);
    json.key(key);
    json.null();
  }

  static void write_part(core::JsonWriter& json, std::string_view kind, const std::optional<Span>& span,
                         std::uint64_t count) {
    if (!span) return;
    json.begin_object();
    json.key("kind");
    json.string(kind);
    write_member(json, "offset", span->offset);
    write_member(json, "length", span->length);
    write_member(json, "count", count);
    json.end_object();
  }

  std::string_view producer_;
  profile::Summary summary_;
  std::uint64_t nodes_ = 0;
  std::uint64_t samples_ = 0;
  bool has_samples_ = false;
  std::optional<Span> head_;
  std::optional<Span> samples_span_;
};

}  // namespace

std::unique_ptr<Info> read_heapprofile_info(core::Window& window, const Limits& limits) {
  return std::make_unique<HeapprofileInfo>(window, limits);
}

}  // namespace heapcheck::cli
