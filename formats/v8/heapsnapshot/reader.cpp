#include "formats/v8/heapsnapshot/reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/core/excerpt.hpp"
#include "formats/core/json/faults.hpp"
#include "formats/v8/heapsnapshot/faults.hpp"
#include "formats/v8/heapsnapshot/header_reader.hpp"
#include "formats/v8/heapsnapshot/reading.hpp"
#include "formats/v8/heapsnapshot/requirements.hpp"
#include "formats/v8/heapsnapshot/strings_reader.hpp"
#include "formats/v8/heapsnapshot/table_reader.hpp"
#include "formats/v8/heapsnapshot/tree_reader.hpp"

namespace heapcheck::v8::heapsnapshot {
namespace {

using core::JsonToken;

class SnapshotReader {
 public:
  SnapshotReader(core::Window& window, const Limits& limits, core::FindingSink& sink, bool with_text)
      : window_(&window), reading_(window, limits, sink, with_text) {}

  Snapshot read() {
    skip_byte_order_mark();
    const JsonToken first = reading_.json.next();
    if (first == JsonToken::object_begin) {
      while (reading_.json.next() == JsonToken::key && read_member()) {
      }
    } else if (first != JsonToken::error) {
      reading_.report(rules::header_type, reading_.json.span(), {},
                      "the document is no object, one is required");
      return std::move(snapshot_);
    }
    finish();
    return std::move(snapshot_);
  }

 private:
  void skip_byte_order_mark() {
    if (const auto mark = core::json::skip_byte_order_mark(*window_))
      reading_.report(rules::file_bom, *mark, {}, "begins with a byte order mark");
  }

  /// False where nothing more can be read.
  bool read_member() {
    const std::string key(reading_.json.text());
    path_ = "/" + core::make_excerpt(key);
    const auto section = find_section(key);
    if (key == header_name) {
      if (!snapshot_.header.is_present) {
        snapshot_.text.header = look_at_key(key);
        read_header(reading_, snapshot_);
      } else {
        skip_duplicate(key);
      }
    } else if (!section) {
      skip_unknown();
    } else if (snapshot_.has(*section)) {
      skip_duplicate(key);
    } else {
      read_section(*section);
    }
    return reading_.goes_on();
  }

  void skip_duplicate(const std::string& key) {
    reading_.report(core::rules::json_object_duplicate_key, reading_.json.span(), path_,
                    fmt::format("has a second member `{}`", key));
    reading_.json.skip_value();
  }

  void skip_unknown() {
    const Span key = reading_.json.span();
    reading_.mark();
    reading_.skip_unknown();
    if (reading_.keeps_marks()) {
      snapshot_.text.others.push_back({key.offset, reading_.json.span().end() - key.offset});
      reading_.charge(sizeof(Span), key.offset, path_);
    }
    if (!reading_.goes_on()) return;
    ++snapshot_.unknown_members;
    reading_.report(rules::section_unknown, key, path_, "is no section that V8 is known to write");
  }

  /// How the current token, a key, is spelled. Only where asked for.
  Key look_at_key(std::string_view key) {
    if (!reading_.keeps_marks()) return {};
    const Span span = reading_.json.span();
    return {span, span.length == key.size() + 2, reading_.has_colon_behind()};
  }

  void read_section(Section section) {
    check_order(section);
    snapshot_.text.keys[index_of(section)] = look_at_key(name_of(section));
    snapshot_.order.push_back(section);
    if (reading_.json.next() == JsonToken::error) return;
    if (reading_.json.token() != JsonToken::array_begin) return report_type(section);
    if (section == Section::strings) {
      snapshot_.strings = read_strings(reading_);
    } else if (section == Section::trace_tree) {
      snapshot_.trace_tree = read_trace_tree(reading_, snapshot_.schema);
    } else {
      snapshot_.table(section) = read_table(reading_, section, names_of(section));
    }
  }

  /// The names of a section's columns; null where they are not known (yet).
  [[nodiscard]] const std::vector<std::string>* names_of(Section section) const {
    const auto& fields = snapshot_.schema.fields[index_of(section)];
    return fields ? &*fields : nullptr;
  }

  void check_order(Section section) {
    const Span key = reading_.json.span();
    if (is_misplaced_) return;
    if (!snapshot_.header.is_present) {
      report_order(key, fmt::format("`{}` stands before the header", name_of(section)));
    } else if (!snapshot_.order.empty() && section < snapshot_.order.back()) {
      report_order(key,
                   fmt::format("`{}` stands behind `{}`", name_of(section), name_of(snapshot_.order.back())));
    }
  }

  /// Once: where one section is out of order, so are others.
  void report_order(Span key, const std::string& found) {
    is_misplaced_ = true;
    reading_.report(rules::section_order, key, path_, found + ", V8's order is the other way");
  }

  void report_type(Section section) {
    const Span span = reading_.json.span();
    const std::string found = describe_value(reading_.json);
    reading_.skip_current();
    if (!reading_.goes_on()) return;
    set_present(section);
    reading_.report(rules::section_type, span, path_, fmt::format("is {}, an array is required", found));
  }

  /// A section of a wrong type is there, if not to be judged.
  void set_present(Section section) {
    if (section == Section::trace_tree) {
      snapshot_.trace_tree.is_present = true;
    } else if (section == Section::strings) {
      snapshot_.strings.is_present = true;
    } else {
      snapshot_.table(section).is_present = true;
    }
  }

  void finish() {
    reading_.report_json_error(path_);
    snapshot_.text.marks = reading_.take_marks();
    reshape();
    snapshot_.has_record_lines = has_row_lines(snapshot_.table(Section::nodes));
    snapshot_.is_whole = reading_.json.token() == JsonToken::object_end && !reading_.is_full();
    if (!snapshot_.is_whole) return;
    reading_.json.next();
    reading_.json.release();
    check_end();
    if (!reading_.has_reported(core::rules::json_document_trailing)) check_requirements(reading_, snapshot_);
  }

  /// Sections that stood before `meta` were read as one column each.
  void reshape() {
    for (std::size_t i = 0; i < section_count; ++i) {
      const Table& table = snapshot_.tables[i];
      const auto* names = names_of(static_cast<Section>(i));
      if (!table.is_present || names == nullptr || names->size() == table.columns.size()) continue;
      reshape(static_cast<Section>(i), names->size());
    }
  }

  /// Values wait for a whole chunk of rows. Without memory for them the table is left empty.
  void reshape(Section section, std::size_t column_count) {
    Table& table = snapshot_.table(section);
    const std::uint64_t offset = table.span.offset;
    const std::string path = fmt::format("/{}", name_of(section));
    const std::uint64_t waiting = std::min<std::uint64_t>(table.value_count, chunk_rows * column_count);
    if (!reading_.charge(waiting * sizeof(std::uint64_t), offset, path)) {
      table.reset(column_count);
      table.is_whole = false;
      return;
    }
    table = make_reshaped(table, column_count);
    reading_.charge(table.memory(), offset, path);
  }

  void check_end() {
    if (!reading_.json.skip_whitespace()) return;
    reading_.json.release();
    reading_.report(core::rules::json_document_trailing, {window_->offset(), 1}, {},
                    "something follows the document, nothing but white space may");
  }

  core::Window* window_;
  Reading reading_;
  Snapshot snapshot_;
  std::string path_;
  bool is_misplaced_ = false;
};

}  // namespace

Snapshot read_snapshot(core::Window& window, const Limits& limits, core::FindingSink& sink, bool with_text) {
  return SnapshotReader(window, limits, sink, with_text).read();
}

}  // namespace heapcheck::v8::heapsnapshot
