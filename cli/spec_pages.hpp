// The pages of spec/ that rules link to, as they were when the program was built.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heapcheck::cli {

struct SpecPage {
  std::string_view name;  ///< path below spec/
  std::string_view text;  ///< Markdown
};

/// All pages that rules link to.
const std::vector<SpecPage>& spec_pages();

/// The section that an anchor such as `mvmheap/v3.md#toc` names: its heading and the text below it, up to the
/// next heading of the same or a higher level.
std::optional<std::string> find_section(std::string_view anchor);

/// The part of `section` that states the rule `id`: the first paragraph or list item, without its bullet,
/// that contains the id in backticks; for a table, its header and the rows that contain the id; or the
/// whole section, if no part contains the id.
std::string find_paragraph_in(std::string_view section, std::string_view id);

/// The same for the section that the anchor names; nothing if there is no such section.
std::optional<std::string> find_paragraph(std::string_view anchor, std::string_view id);

}  // namespace heapcheck::cli
