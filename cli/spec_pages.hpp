// The text of the pages of spec/, as it was when the program was built.
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

/// The section that an anchor such as `mvmheap/v3.md#toc` names: its heading and what stands below
/// it, up to the next heading of its level or a higher one.
std::optional<std::string> find_section(std::string_view anchor);

}  // namespace heapcheck::cli
