// The recipe elements for version 3 MoarVM heap dumps: the four shapes of blocks. spec: mvmheap/v3.md#blocks
#pragma once

#include <expected>

#include "conformance/recipe/document.hpp"

namespace heapcheck::conformance::mvmheap::v3 {

/// `meta KIND JSON`, `column KIND u16 NUMBERS`, `strings KIND TEXTS`, `toc inner` and `toc outer`.
std::expected<Node, BuildError> make_block(Document& document, const Element& element);

/// Splits the JSON `text` into nodes. A number that is the value of a member becomes a node that is named
/// after the member.
std::vector<Node> make_json(Document& document, std::string_view text);

}  // namespace heapcheck::conformance::mvmheap::v3
