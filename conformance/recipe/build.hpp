// Builds the bytes of a case: applies the case's changes to the recipe of its base, lays out the elements,
// and applies the case's changes to the bytes.
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

  /// Finds a place in the layout. Changes to the bytes do not affect it.
  std::expected<Spot, BuildError> find_spot(const Place& place);
  /// Finds the byte offset of a place in the file.
  std::expected<std::uint64_t, BuildError> find(const Place& place);
};

/// Builds a case from the statements of its base, followed by its own statements.
std::expected<Built, BuildError> build(const std::vector<Statement>& statements);

}  // namespace heapcheck::conformance
