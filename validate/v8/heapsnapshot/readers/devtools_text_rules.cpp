#include "validate/v8/heapsnapshot/readers/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace heapcheck::validation::v8::heapsnapshot::readers {
namespace {

using format::index_of;
using format::section_count;
using format::TextMark;

/// The span of a section's array; its length is 0 if there is none.
Span span_of(const Snapshot& snapshot, Section section) {
  if (section == Section::trace_tree) return snapshot.trace_tree.span;
  if (section == Section::strings) return snapshot.strings.span;
  return snapshot.table(section).span;
}

/// Whether DevTools searches for a section by name.
bool is_searched(const Snapshot& snapshot, Section section) {
  const auto& count = snapshot.header.trace_function_count;
  if (section == Section::trace_function_infos) return count && count->value != 0;
  if (section == Section::nodes || section == Section::edges || section == Section::strings) return true;
  return section != Section::trace_tree && snapshot.schema.fields[index_of(section)].has_value();
}

/// Searches the text for the sections one after another, as DevTools does.
class Search {
 public:
  explicit Search(const Snapshot& snapshot) : snapshot_(&snapshot) {}

  /// Finds the first occurrence of a section's name at or after the offset `from`.
  [[nodiscard]] std::optional<std::uint64_t> find_name(std::string_view name, const format::Key& key,
                                                       std::uint64_t from) const {
    std::optional<std::uint64_t> found;
    if (key.is_plain && key.span.offset >= from) found = key.span.offset;
    return earlier(found, find_mark(name, from));
  }

  /// Finds the first `[` at or after the offset `from`.
  [[nodiscard]] std::optional<std::uint64_t> find_array(std::uint64_t from) const {
    std::optional<std::uint64_t> found = find_mark("[", from);
    for (std::size_t i = 0; i < section_count; ++i) {
      const Span span = span_of(*snapshot_, static_cast<Section>(i));
      if (span.length != 0 && span.offset >= from) found = earlier(found, span.offset);
    }
    return found;
  }

  [[nodiscard]] std::optional<std::uint64_t> find_mark(std::string_view text, std::uint64_t from) const {
    for (const TextMark& mark : snapshot_->text.marks) {
      if (mark.offset >= from && mark.text == text) return mark.offset;
    }
    return std::nullopt;
  }

 private:
  static std::optional<std::uint64_t> earlier(std::optional<std::uint64_t> a,
                                              std::optional<std::uint64_t> b) {
    if (!a || !b) return a ? a : b;
    return std::min(*a, *b);
  }

  const Snapshot* snapshot_;
};

void report_name(Span span, std::string_view name, std::string message, core::FindingSink& sink) {
  sink.report(
      {&rules::devtools_section_name, {span, std::nullopt, fmt::format("/{}", name)}, std::move(message)});
}

bool check_header_name(const Snapshot& snapshot, const Search& search, core::FindingSink& sink) {
  const format::Key& key = snapshot.text.header;
  const auto name = search.find_name(format::header_name, key, 0);
  if (!key.is_plain) {
    report_name(key.span, format::header_name, "the key is spelled with escapes, expected none", sink);
  } else if (name != key.span.offset) {
    report_name({*name, format::header_name.size() + 2}, format::header_name,
                "the same text in quotes also occurs earlier, expected only this key", sink);
  } else if (!key.is_tight) {
    report_name(key.span, format::header_name, "white space follows the key, expected a colon", sink);
  } else {
    return true;
  }
  return false;
}

/// Whether DevTools finds the array of the section if it starts searching at the offset `from`.
bool check_name(const Snapshot& snapshot, const Search& search, Section section, std::uint64_t from,
                core::FindingSink& sink) {
  const format::Key& key = snapshot.text.keys[index_of(section)];
  const std::string_view name = name_of(section);
  const auto found = search.find_name(name, key, from);
  if (!found || (!key.is_plain && *found > key.span.offset)) {
    report_name(key.span, name, "the key is spelled with escapes, expected none", sink);
    return false;
  }
  const auto array = search.find_array(*found);
  if (array == span_of(snapshot, section).offset) return true;
  const Span place = *found == key.span.offset ? key.span : Span{*found, name.size() + 2};
  report_name(
      place, name,
      fmt::format("the next array after the name is at byte {}, expected the section's array at byte {}",
                  array.value_or(0), span_of(snapshot, section).offset),
      sink);
  return false;
}

void check_names(const Snapshot& snapshot, core::FindingSink& sink) {
  const Search search(snapshot);
  if (!check_header_name(snapshot, search, sink)) return;
  std::uint64_t from = snapshot.text.header.span.end();
  for (std::size_t i = 0; i < section_count; ++i) {
    const auto section = static_cast<Section>(i);
    const Span span = span_of(snapshot, section);
    // The rules of the format report sections that are missing or out of order.
    if (is_searched(snapshot, section)) {
      if (span.length == 0 || span.offset < from) return;
      if (!check_name(snapshot, search, section, from, sink)) return;
      from = span.end();
    } else if (section == Section::trace_tree && is_searched(snapshot, Section::trace_function_infos)) {
      from = std::max(from, span.end());
    }
  }
}

void check_between(const Snapshot& snapshot, core::FindingSink& sink) {
  const Span functions = span_of(snapshot, Section::trace_function_infos);
  const Span tree = span_of(snapshot, Section::trace_tree);
  if (!is_searched(snapshot, Section::trace_function_infos) || functions.length == 0) return;
  const auto found = std::ranges::find_if(snapshot.text.others, [&](const Span& other) {
    return other.offset > functions.offset && other.offset < tree.offset;
  });
  if (found == snapshot.text.others.end()) return;
  sink.report({&rules::devtools_section_between,
               {*found, std::nullopt, "/trace_tree"},
               "found an unknown member between the functions and the tree, expected none"});
}

void check_after_strings(const Snapshot& snapshot, core::FindingSink& sink) {
  const auto bracket = Search(snapshot).find_mark("]", snapshot.strings.span.end());
  if (!bracket || !snapshot.strings.is_present()) return;
  sink.report({&rules::devtools_strings_last,
               {{*bracket, 0}, std::nullopt, "/strings"},
               "found a member with a `]` after the strings, expected none"});
}

void check_length(Span span, std::string_view path, const ReaderProfile& reader, core::FindingSink& sink) {
  if (span.length <= reader.max_text) return;
  sink.report(
      {&rules::devtools_text_length,
       {span, std::nullopt, std::string(path)},
       fmt::format("the length is {} characters, expected at most {}", span.length, reader.max_text)});
}

}  // namespace

void check_text_for_devtools(const Snapshot& snapshot, const ReaderProfile& reader, core::FindingSink& sink) {
  if (!snapshot.is_whole || !snapshot.header.is_present) return;
  check_names(snapshot, sink);
  check_between(snapshot, sink);
  check_after_strings(snapshot, sink);
  check_length(snapshot.strings.span, "/strings", reader, sink);
  if (is_searched(snapshot, Section::trace_function_infos))
    check_length(snapshot.trace_tree.span, "/trace_tree", reader, sink);
  for (const Span& other : snapshot.text.others) check_length(other, "", reader, sink);
}

}  // namespace heapcheck::validation::v8::heapsnapshot::readers
