// The words of recipes for MoarVM heap dumps of version 3: its four shapes of block.
// spec: mvmheap/v3.md#blocks
#pragma once

#include <expected>

#include "conformance/recipe/document.hpp"

namespace heapcheck::conformance::mvmheap::v3 {

/// `meta KIND JSON`, `column KIND u16 NUMBERS`, `strings KIND TEXTS`, `toc inner` and `toc outer`.
std::expected<Node, BuildError> make_block(Document& document, const Element& element);

/// The JSON `text` as nodes: each number that is a member's value under the member's name.
std::vector<Node> make_json(Document& document, std::string_view text);

}  // namespace heapcheck::conformance::mvmheap::v3
