// Makes the bytes of a case: its base, then its changes of the recipe, then the layout, then its
// changes of the bytes.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "conformance/recipe/document.hpp"
#include "conformance/recipe/recipe.hpp"

namespace heapcheck::conformance {

struct Built {
  Bytes bytes;
  Document document;
  Layout layout;

  /// A place as laid out before bytes were changed.
  std::expected<Spot, BuildError> find_spot(const Place& place);
  /// Its byte offset in the file.
  std::expected<std::uint64_t, BuildError> find(const Place& place);
};

/// `statements` are those of the base followed by those of the case.
std::expected<Built, BuildError> build(const std::vector<Statement>& statements);

}  // namespace heapcheck::conformance
