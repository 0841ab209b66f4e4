#include "formats/v8/heapsnapshot/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ranges>

#include "formats/core/input_failure.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/v8/heapsnapshot/context.hpp"
#include "formats/v8/heapsnapshot/faults.hpp"
#include "formats/v8/heapsnapshot/quirks.hpp"

namespace heapcheck::v8::heapsnapshot {
namespace {

using core::JsonToken;

core::JsonOptions make_json_options(const Limits& limits) {
  core::JsonOptions options = core::make_json_options(limits);
  options.keep_lone_surrogates = true;
  return options;
}

class SnapshotReader {
 public:
  SnapshotReader(core::Window& window, const Limits& limits, core::FindingSink& sink, bool with_text)
      : window_(&window),
        json_(window, limits, make_json_options(limits)),
        memory_(limits.max_memory),
        context_(json_, window, limits, sink, memory_, with_text) {}
  SnapshotReader(const SnapshotReader&) = delete;
  SnapshotReader& operator=(const SnapshotReader&) = delete;
  ~SnapshotReader() = default;

  Snapshot read() {
    skip_byte_order_mark();
    skip_lines_before();
    const JsonToken first = context_.json.next();
    if (first == JsonToken::object_begin) {
      while (context_.json.next() == JsonToken::key && read_member()) {
      }
    } else if (first != JsonToken::error) {
      context_.report(rules::header_type, context_.json.span(), {},
                      fmt::format("the document is {}, expected an object", describe_value(context_.json)));
      return std::move(snapshot_);
    }
    finish();
    return std::move(snapshot_);
  }

 private:
  void skip_byte_order_mark() {
    if (const auto mark = core::json::skip_byte_order_mark(*window_))
      context_.report(rules::file_bom, *mark, {},
                      "the snapshot begins with a byte order mark, expected none");
  }

  void skip_lines_before() {
    const std::uint64_t offset = window_->offset();
    const std::size_t byte_count = find_line_of_document(window_->look(most_lines_before));
    if (byte_count == 0) return;
    window_->consume(byte_count);
    context_.report(rules::file_prefix, {offset, byte_count}, {},
                    fmt::format("found {} of text before the document, expected none",
                                core::counted(byte_count, "byte")));
  }

  /// Returns false if nothing more can be read.
  bool read_member() {
    const std::string key(context_.json.text());
    path_ = "/" + core::make_opening(key);
    const auto section = find_section(key);
    if (key == header_name) {
      if (!snapshot_.header.is_present) {
        // This comes first, because reading the header moves on from the key.
        snapshot_.text.header = look_at_key(key);
        read_header(context_, snapshot_);
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
    return context_.goes_on();
  }

  void skip_duplicate(const std::string& key) {
    context_.refuse_repeated(path_,
                             fmt::format("the object has a second member `{}`, expected only one", key));
  }

  void skip_unknown() {
    const Span key = context_.json.span();
    context_.mark();
    context_.skip_unknown();
    if (context_.keeps_marks()) {
      snapshot_.text.others.push_back({key.offset, context_.json.span().end() - key.offset});
      context_.take_memory(sizeof(Span), key.offset, path_);
    }
    if (!context_.goes_on()) return;
    ++snapshot_.unknown_members;
    context_.report(rules::section_unknown, key, path_, "no released version of V8 writes this section");
  }

  /// The spelling of the current token, which is a key. It is recorded only on request.
  Key look_at_key(std::string_view key) {
    if (!context_.keeps_marks()) return {};
    const Span span = context_.json.span();
    return {span, span.length == key.size() + 2, context_.has_colon_after()};
  }

  void read_section(Section section) {
    check_order(section);
    snapshot_.text.keys[index_of(section)] = look_at_key(name_of(section));
    snapshot_.order.push_back(section);
    if (context_.json.next() == JsonToken::error) return;
    if (context_.json.token() != JsonToken::array_begin) return report_type(section);
    if (section == Section::strings) {
      snapshot_.strings = read_strings(context_);
    } else if (section == Section::trace_tree) {
      snapshot_.trace_tree = read_trace_tree(context_, snapshot_.schema);
    } else {
      snapshot_.table(section) = read_table(context_, section, names_of(section));
    }
  }

  /// The names of a section's columns; null if they are unknown or not known yet.
  [[nodiscard]] const std::vector<std::string>* names_of(Section section) const {
    const auto& fields = snapshot_.schema.fields[index_of(section)];
    return fields ? &*fields : nullptr;
  }

  void check_order(Section section) {
    const Span key = context_.json.span();
    if (is_misplaced_) return;
    if (!snapshot_.header.is_present) {
      report_order(key, fmt::format("`{}` comes before the header, expected after it", name_of(section)));
    } else if (const auto later = find_later(section)) {
      report_order(
          key, fmt::format("`{}` comes after `{}`, expected before it", name_of(section), name_of(*later)));
    }
  }

  /// The last section so far that should come after this one. A section for which readers do not search only
  /// has to come before the strings.
  [[nodiscard]] std::optional<Section> find_later(Section section) const {
    for (const Section earlier : snapshot_.order | std::views::reverse) {
      const bool matters = earlier == Section::strings ||
                           (is_announced(section, snapshot_) && is_announced(earlier, snapshot_));
      if (section < earlier && matters) return earlier;
    }
    return std::nullopt;
  }

  /// Only reports the first section that is out of order, because as a result, other sections are out of
  /// order too.
  void report_order(Span key, std::string message) {
    is_misplaced_ = true;
    context_.report(rules::section_order, key, path_, std::move(message));
  }

  void report_type(Section section) {
    const Span span = context_.json.span();
    const std::string found = describe_value(context_.json);
    context_.skip_nested();
    if (!context_.goes_on()) return;
    snapshot_.set_present(section);  // it is present, although it cannot be checked
    context_.report(rules::section_type, span, path_, fmt::format("found {}, expected an array", found));
  }

  void finish() {
    context_.report_end(path_);
    snapshot_.text.marks = context_.take_marks();
    reshape();
    add_symbol_type(snapshot_);
    snapshot_.has_record_lines = has_row_lines(snapshot_.table(Section::nodes));
    snapshot_.is_whole = context_.json.token() == JsonToken::object_end && !context_.memory.is_spent();
    if (!snapshot_.is_whole) return;
    context_.json.next();
    context_.json.release();
    check_end();
    if (!context_.has_reported(core::rules::json_document_trailing)) check_requirements(context_, snapshot_);
  }

  /// Rearranges the sections before `meta`, each of which was read as one column.
  void reshape() {
    for (std::size_t i = 0; i < section_count; ++i) {
      const Table& table = snapshot_.tables[i];
      const auto* names = names_of(static_cast<Section>(i));
      if (!table.is_present() || names == nullptr || names->size() == table.columns.size()) continue;
      reshape(static_cast<Section>(i), names->size());
    }
  }

  /// Values are collected until a chunk of rows is complete. If memory runs out, the table remains empty.
  void reshape(Section section, std::size_t column_count) {
    Table& table = snapshot_.table(section);
    const std::uint64_t offset = table.span.offset;
    const std::string path = fmt::format("/{}", name_of(section));
    const std::uint64_t waiting = std::min<std::uint64_t>(table.value_count, chunk_rows * column_count);
    if (!context_.take_memory(waiting * sizeof(std::uint64_t), offset, path)) {
      table.reset(column_count);
      table.extent = Extent::cut;
      return;
    }
    const bool is_wrapped = !table.wrapped.empty();
    table = make_reshaped(table, column_count);
    for (const std::string& name : is_wrapped ? *names_of(section) : std::vector<std::string>())
      table.wrapped.push_back(may_wrap(section, name));
    context_.take_memory(table.memory(), offset, path);
  }

  /// Checks that only white space follows the document, and that the compression around it ends properly.
  void check_end() {
    if (!context_.json.skip_whitespace()) {
      core::report_input_failure(*window_, context_.sink, {{window_->offset(), 0}, std::nullopt, ""});
      return;
    }
    context_.json.release();
    context_.report(core::rules::json_document_trailing, {window_->offset(), 1}, {},
                    "found more text after the document, expected only white space");
  }

  core::Window* window_;
  core::JsonReader json_;
  core::MemoryBudget memory_;
  Context context_;
  Snapshot snapshot_;
  std::string path_;
  bool is_misplaced_ = false;
};

}  // namespace

Snapshot read_snapshot(core::Window& window, const Limits& limits, core::FindingSink& sink, bool with_text) {
  return SnapshotReader(window, limits, sink, with_text).read();
}

}  // namespace heapcheck::v8::heapsnapshot
