// The word of recipes for legacy heap dumps: a whole trace from the notation in which the authors of the
// format wrote its values down. spec: chrome/legacy.md#values
#pragma once

#include <expected>

#include "conformance/recipe/document.hpp"

namespace heapcheck::conformance::chrome {

/// `entries NAME TEXT...`, a TEXT being `SIZE STACK [TYPE]`: bytes, names of frames from the outermost one
/// on, each behind a slash, and the type's name; `/` is the empty stack. Gives a trace of process 7 with the
/// heap `malloc`; entry N is `[N]`.
std::expected<Node, BuildError> make_entries(Document& document, const Element& element);

}  // namespace heapcheck::conformance::chrome
