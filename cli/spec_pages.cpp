#include "cli/spec_pages.hpp"

#include <algorithm>
#include <cctype>

namespace heapcheck::cli {
namespace {

/// How many # a heading starts with; 0 for any other line.
std::size_t heading_level(std::string_view line) {
  const std::size_t level = line.find_first_not_of('#');
  return level != std::string_view::npos && level > 0 && line[level] == ' ' ? level : 0;
}

/// The anchor that Markdown viewers give a heading: lower case, blanks as hyphens, no punctuation.
std::string make_anchor(std::string_view heading) {
  std::string anchor;
  for (const char c : heading.substr(heading.find_first_not_of("# "))) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '_') anchor += static_cast<char>(std::tolower(byte));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

/// The lines of `text` from the heading with that anchor to the next one of its level or a higher.
std::optional<std::string> cut_section(std::string_view text, std::string_view anchor) {
  std::string section;
  std::size_t level = 0;
  bool in_code = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    if (line.starts_with("```")) in_code = !in_code;
    const std::size_t here = in_code ? 0 : heading_level(line);
    if (level != 0 && here != 0 && here <= level) break;
    if (level == 0 && here != 0 && make_anchor(line) == anchor) level = here;
    if (level != 0) section += line;
  }
  return level == 0 ? std::nullopt : std::optional(section);
}

}  // namespace

std::optional<std::string> find_section(std::string_view anchor) {
  const std::size_t hash = std::min(anchor.find('#'), anchor.size());
  const auto page = std::ranges::find(spec_pages(), anchor.substr(0, hash), &SpecPage::name);
  if (page == spec_pages().end() || hash == anchor.size()) return std::nullopt;
  return cut_section(page->text, anchor.substr(hash + 1));
}

}  // namespace heapcheck::cli
