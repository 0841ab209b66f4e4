// The pages of spec/ to which rules link, as they were when the program was built.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heapcheck::cli {

struct SpecPage {
  std::string_view name;  ///< the path below spec/
  std::string_view text;  ///< Markdown
};

/// All pages to which rules link.
const std::vector<SpecPage>& spec_pages();

/// The section named by an anchor such as `mvmheap/v3.md#toc`: its heading and the text below, up to the next
/// heading at the same or a higher level.
std::optional<std::string> find_section(std::string_view anchor);

/// The part of `section` that states the rule `id`: the first paragraph or list item, without its bullet,
/// that contains the id in backticks; for a table, its header and the rows that contain the id; or, if no
/// part contains the id, the whole section.
std::string find_paragraph_in(std::string_view section, std::string_view id);

/// Does the same for the section that the anchor names. Returns nothing if there is no such section.
std::optional<std::string> find_paragraph(std::string_view anchor, std::string_view id);

}  // namespace heapcheck::cli
