#include "cli/spec_pages.hpp"

#include <algorithm>
#include <cctype>

namespace heapcheck::cli {
namespace {

/// The number of # characters at the start of a heading, or 0 for any other line.
std::size_t heading_level(std::string_view line) {
  const std::size_t level = line.find_first_not_of('#');
  return level != std::string_view::npos && level > 0 && line[level] == ' ' ? level : 0;
}

/// The anchor that Markdown viewers make from a heading: lower case, hyphens for spaces, no punctuation.
std::string make_anchor(std::string_view heading) {
  std::string anchor;
  for (const char c : heading.substr(heading.find_first_not_of("# "))) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '_') anchor += static_cast<char>(std::tolower(byte));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

/// The lines of `text` from the heading with that anchor up to the next heading of the same or a higher
/// level.
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

using Lines = std::vector<std::string_view>;

Lines split_lines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::size_t count_indent(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

/// The length of the bullet or number that begins a list item, including the space after it, or 0 for any
/// other line.
std::size_t count_bullet(std::string_view line) {
  line.remove_prefix(count_indent(line));
  if (line.starts_with("- ") || line.starts_with("* ")) return 2;
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  return digits != 0 && line.substr(digits).starts_with(". ") ? digits + 2 : 0;
}

bool is_row(std::string_view line) { return line.starts_with('|'); }

bool is_blank(std::string_view line) { return count_indent(line) == line.size(); }

/// Returns whether the line ends a paragraph that contains the line before it.
bool is_border(std::string_view line) {
  return is_blank(line) || is_row(line) || heading_level(line) != 0 || line.starts_with("```");
}

/// The header of the table that contains the row at line `at`, and the rows of this table that contain
/// `mention`.
std::string cut_table(const Lines& lines, std::size_t at, std::string_view mention) {
  while (at > 0 && is_row(lines[at - 1])) --at;
  std::string table;
  for (std::size_t row = at; row < lines.size() && is_row(lines[row]); ++row) {
    const bool is_head = row < at + 2;
    if (is_head || lines[row].find(mention) != std::string_view::npos) table.append(lines[row]).append("\n");
  }
  return table;
}

/// The paragraph or list item that contains line `at`, including any items nested in it but without its
/// bullet.
std::string cut_block(const Lines& lines, std::size_t at) {
  while (count_bullet(lines[at]) == 0 && at > 0 && !is_border(lines[at - 1])) --at;
  const std::size_t indent = count_indent(lines[at]);
  const std::size_t margin = indent + count_bullet(lines[at]);
  std::string block(lines[at].substr(margin));
  for (++at; at < lines.size() && !is_border(lines[at]); ++at) {
    if (count_bullet(lines[at]) != 0 && count_indent(lines[at]) <= indent) break;
    block.append("\n").append(lines[at].substr(std::min(count_indent(lines[at]), margin)));
  }
  return block + "\n";
}

}  // namespace

std::optional<std::string> find_section(std::string_view anchor) {
  const std::size_t hash = std::min(anchor.find('#'), anchor.size());
  const auto page = std::ranges::find(spec_pages(), anchor.substr(0, hash), &SpecPage::name);
  if (page == spec_pages().end() || hash == anchor.size()) return std::nullopt;
  return cut_section(page->text, anchor.substr(hash + 1));
}

std::string find_paragraph_in(std::string_view section, std::string_view id) {
  const Lines lines = split_lines(section);
  const std::string mention = "`" + std::string(id) + "`";
  const auto line = std::ranges::find_if(
      lines, [&](std::string_view text) { return text.find(mention) != std::string_view::npos; });
  if (line == lines.end()) return std::string(section);
  const auto at = static_cast<std::size_t>(line - lines.begin());
  return is_row(*line) ? cut_table(lines, at, mention) : cut_block(lines, at);
}

std::optional<std::string> find_paragraph(std::string_view anchor, std::string_view id) {
  const auto section = find_section(anchor);
  return section ? std::optional(find_paragraph_in(*section, id)) : std::nullopt;
}

}  // namespace heapcheck::cli
