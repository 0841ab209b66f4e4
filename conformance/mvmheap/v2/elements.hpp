// The recipe element for version 2 MoarVM heap dumps: a section. spec: mvmheap/v2.md#sections
#pragma once

#include <expected>

#include "conformance/recipe/document.hpp"

namespace heapcheck::conformance::mvmheap::v2 {

/// `section coll|refs|type|fram NUMBERS` and `section strs TEXTS`. The numbers are the fields of the entries,
/// one entry after another. References get the smallest possible width.
std::expected<Node, BuildError> make_section(Document& document, const Element& element);

}  // namespace heapcheck::conformance::mvmheap::v2
