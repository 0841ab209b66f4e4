// The recipe element for legacy heap dumps: makes a whole trace from the notation that the authors of the
// format use for its values. spec: chrome/legacy.md#values
#pragma once

#include <expected>

#include "conformance/recipe/document.hpp"

namespace heapcheck::conformance::chrome {

/// `entries NAME TEXT...`, where each TEXT is `SIZE STACK [TYPE]`: a number of bytes, the names of the
/// frames, outermost first and each after a slash, and the name of the type. `/` is the empty stack. Makes a
/// trace of process 7 with a `malloc` heap, in which entry N is called `[N]`.
std::expected<Node, BuildError> make_entries(Document& document, const Element& element);

}  // namespace heapcheck::conformance::chrome
