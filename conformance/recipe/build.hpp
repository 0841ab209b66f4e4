// Builds the bytes of a case: its base, its changes to the recipe, the layout, and its changes to the bytes.
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

  /// A place in the layout, before any bytes were changed.
  std::expected<Spot, BuildError> find_spot(const Place& place);
  /// Its byte offset in the file.
  std::expected<std::uint64_t, BuildError> find(const Place& place);
};

/// `statements` are the statements of the base, followed by those of the case.
std::expected<Built, BuildError> build(const std::vector<Statement>& statements);

}  // namespace heapcheck::conformance
