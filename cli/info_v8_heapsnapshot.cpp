// heapcheck info on V8 heap snapshots and timelines.
#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "cli/info_v8.hpp"
#include "formats/core/excerpt.hpp"
#include "formats/v8/heapsnapshot/reader.hpp"

namespace heapcheck::cli {
namespace {

namespace snapshot = v8::heapsnapshot;
using snapshot::Section;

/// The version of V8 that wrote it, as far as its schema tells.
std::string_view guess_version(const snapshot::Snapshot& heap) {
  const auto* types = heap.schema.find_type_names(Section::nodes, "type");
  const auto has = [&](Section section) { return heap.schema.fields[index_of(section)].has_value(); };
  const std::size_t type_count = types == nullptr ? 0 : types->size();
  const bool has_detachedness = heap.schema.find_field(Section::nodes, "detachedness").has_value();
  if (has(Section::scopes)) return "V8 14 or later, as in Chrome 156";
  if (heap.header.extra_native_bytes) return "V8 13 or later, as in Node.js 24";
  if (type_count == 16) return "V8 11.3, as in Node.js 20";
  if (type_count == 15) return "V8 12, as in Chrome 120 and Node.js 22";
  if (has_detachedness) return "V8 9 or 10, as in Node.js 16 and 18";
  if (has(Section::locations)) return "V8 7 or 8, as in Node.js 12 and 14";
  return "V8 6 or earlier, as in Node.js 10 and Chrome 64";
}

/// Who wrote it: engines that are not V8 show by their first string and their lack of trace fields.
std::string_view guess_producer(const snapshot::Snapshot& heap) {
  const snapshot::StringTable& strings = heap.strings.table;
  if (!heap.schema.is_sound || !heap.strings.is_whole) return {};
  if (strings.count() == 0 || strings[0] != "<dummy>") return "another engine than V8";
  return guess_version(heap);
}

std::string join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + core::make_excerpt(name);
  return text;
}

struct SectionEntry {
  std::string_view name;
  Span span;
  std::uint64_t rows = 0;
};

class HeapsnapshotInfo final : public Info {
 public:
  HeapsnapshotInfo(core::Window& window, const Limits& max) {
    ErrorCounter counter(*this);
    const snapshot::Snapshot heap = snapshot::read_snapshot(window, max, counter);
    format = Format::v8_heapsnapshot;
    byte_count = window.offset() + window.peek(1).size();
    producer_ = guess_producer(heap);
    is_timeline_ = heap.table(Section::samples).row_count() != 0;
    schema_ = heap.schema;
    native_bytes_ = heap.header.extra_native_bytes;
    if (const auto* sizes = heap.find_column(Section::nodes, "self_size")) self_size_ = sum(*sizes);
    if (heap.header.is_present) sections_.push_back({"snapshot", heap.header.span, 1});
    for (const Section section : heap.order) sections_.push_back(describe(heap, section));
  }

  void append_text(std::string& out) const override {
    auto to = std::back_inserter(out);
    if (!producer_.empty()) fmt::format_to(to, "  producer:      {} (a guess)\n", producer_);
    fmt::format_to(to, "  kind:          {}\n", is_timeline_ ? "timeline" : "snapshot");
    fmt::format_to(to, "  heap bytes:    {}\n", self_size_);
    if (native_bytes_) fmt::format_to(to, "  native bytes:  {}\n", native_bytes_->value);
    for (std::size_t i = 0; i < snapshot::section_count; ++i) {
      const auto& fields = schema_.fields[i];
      if (fields) fmt::format_to(to, "  {}: {}\n", snapshot::sections[i].fields, join(*fields));
    }
    fmt::format_to(to, "\n  {:<21} {:>12} {:>12} {:>10}\n", "section", "offset", "bytes", "rows");
    for (const SectionEntry& section : sections_) {
      fmt::format_to(to, "  {:<21} {:>12} {:>12} {:>10}\n", section.name, section.span.offset,
                     section.span.length, section.rows);
    }
  }

  void write_json(core::JsonWriter& json) const override {
    if (!producer_.empty()) {
      json.key("producer");
      json.string(producer_);
    }
    json.key("kind");
    json.string(is_timeline_ ? "timeline" : "snapshot");
    write_member(json, "heap_bytes", self_size_);
    if (native_bytes_) write_member(json, "native_bytes", native_bytes_->value);
    json.key("meta");
    json.begin_object();
    for (std::size_t i = 0; i < snapshot::section_count; ++i) {
      if (!schema_.fields[i]) continue;
      json.key(snapshot::sections[i].fields);
      json.begin_array();
      for (const std::string& name : *schema_.fields[i]) json.string(name);
      json.end_array();
    }
    json.end_object();
    write_sections(json);
  }

 private:
  static std::uint64_t sum(const snapshot::ChunkedColumn& column) {
    std::uint64_t total = 0;
    for (std::uint64_t i = 0; i < column.count(); ++i) total += column[i];
    return total;
  }

  static SectionEntry describe(const snapshot::Snapshot& heap, Section section) {
    if (section == Section::strings) return {name_of(section), heap.strings.span, heap.strings.table.count()};
    if (section == Section::trace_tree)
      return {name_of(section), heap.trace_tree.span, heap.trace_tree.id.size()};
    return {name_of(section), heap.table(section).span, heap.table(section).row_count()};
  }

  static void write_member(core::JsonWriter& json, std::string_view key, std::uint64_t value) {
    json.key(key);
    json.number(value);
  }

  void write_sections(core::JsonWriter& json) const {
    json.key("sections");
    json.begin_array();
    for (const SectionEntry& section : sections_) {
      json.begin_object();
      json.key("name");
      json.string(section.name);
      write_member(json, "offset", section.span.offset);
      write_member(json, "length", section.span.length);
      write_member(json, "rows", section.rows);
      json.end_object();
    }
    json.end_array();
  }

  std::string_view producer_;
  bool is_timeline_ = false;
  snapshot::Schema schema_;
  std::optional<snapshot::HeaderNumber> native_bytes_;
  std::uint64_t self_size_ = 0;
  std::vector<SectionEntry> sections_;
};

}  // namespace

std::unique_ptr<Info> read_heapsnapshot_info(core::Window& window, const Limits& limits) {
  return std::make_unique<HeapsnapshotInfo>(window, limits);
}

}  // namespace heapcheck::cli
