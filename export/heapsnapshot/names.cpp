#include "export/heapsnapshot/names.hpp"

#include "formats/v8/heapsnapshot/layout.hpp"
#include "formats/v8/heapsnapshot/string_table.hpp"

namespace heapcheck::exports::heapsnapshot {
namespace {

/// The number of bytes of a string that are kept. V8 keeps the same number of characters by default.
constexpr std::size_t longest_name = 1024;

bool is_changed_by_devtools(std::string_view name) {
  const bool is_tag = name.starts_with('<') || name.starts_with("Detached <");
  return name == "Object" || (is_tag && name.find(' ') != std::string_view::npos);
}

/// The length of the longest part of the text that is within the limit and does not end inside a character.
std::size_t find_end(std::string_view text) {
  std::size_t end = longest_name;
  while (end > longest_name - 4 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return end;
}

}  // namespace

std::string make_node_name(std::string_view name) {
  return is_changed_by_devtools(name) ? "[" + std::string(name) + "]" : std::string(name);
}

Names::Names(const Graph& graph)
    : graph_(graph), nodes_(graph.texts.count(), unknown), texts_(graph.texts.count(), unknown) {
  (void)add(v8::heapsnapshot::first_string_of_v8);
}

std::uint64_t Names::of_node(std::uint32_t node) {
  const std::uint32_t text = graph_.node_name[node];
  if (!is_changed_by_devtools(graph_.texts[text])) return of_text(text);
  if (nodes_[text] == unknown) nodes_[text] = add(make_node_name(graph_.texts[text]));
  return nodes_[text];
}

std::uint64_t Names::of_text(std::uint32_t text) {
  if (texts_[text] == unknown) texts_[text] = add(graph_.texts[text]);
  return texts_[text];
}

std::uint64_t Names::add(std::string_view text) {
  if (text.size() > longest_name) {
    ++shortened_;
    text = text.substr(0, find_end(text));
  }
  const auto [place, is_new] = added_.try_emplace(std::string(text), strings_.count());
  if (!is_new) return place->second;
  v8::heapsnapshot::append_spelling(text, strings_.begin_string(0));
  (void)strings_.end_string();
  return place->second;
}

}  // namespace heapcheck::exports::heapsnapshot
