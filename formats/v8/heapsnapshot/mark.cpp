#include "formats/v8/heapsnapshot/mark.hpp"

#include "formats/v8/heapsnapshot/layout.hpp"

namespace heapcheck::v8::heapsnapshot {
namespace {

using core::JsonToken;

/// Whether the string, as spelled in the file, ends with `name` in quotes.
bool ends_with_name(const core::JsonReader& json, std::string_view name) {
  const std::string_view text = json.text();
  if (!text.ends_with(name)) return false;
  // An escaped quote before the name has the same effect as the quote that begins the string.
  if (text.size() > name.size()) return text[text.size() - name.size() - 1] == '"';
  return json.span().length == name.size() + 2;
}

void append_brackets(const core::JsonReader& json, std::vector<TextMark>& marks) {
  for (const std::string_view bracket : {"[", "]"}) {
    if (json.text().find(bracket) != std::string_view::npos) marks.push_back({json.span().offset, bracket});
  }
}

void append_name(const core::JsonReader& json, std::string_view name, std::vector<TextMark>& marks) {
  if (!ends_with_name(json, name)) return;
  marks.push_back({json.span().end() - name.size() - 2, name});
}

}  // namespace

void append_marks(const core::JsonReader& json, std::vector<TextMark>& marks) {
  if (json.token() == JsonToken::array_begin) marks.push_back({json.span().offset, "["});
  if (json.token() == JsonToken::array_end) marks.push_back({json.span().offset, "]"});
  if (json.token() != JsonToken::string && json.token() != JsonToken::key) return;
  append_brackets(json, marks);
  append_name(json, header_name, marks);
  for (const SectionInfo& section : sections) append_name(json, section.name, marks);
}

}  // namespace heapcheck::v8::heapsnapshot
