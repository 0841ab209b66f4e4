// The word of recipes for MoarVM heap dumps of version 2: its sections. spec: mvmheap/v2.md#sections
#pragma once

#include <expected>

#include "conformance/recipe/document.hpp"

namespace heapcheck::conformance::mvmheap::v2 {

/// `section coll|refs|type|fram NUMBERS` and `section strs TEXTS`: numbers are the fields of one entry after
/// the other; references get the narrowest width.
std::expected<Node, BuildError> make_section(Document& document, const Element& element);

}  // namespace heapcheck::conformance::mvmheap::v2
