// Reads a case or base file as a list of statements. Checks only the notation.
#pragma once

#include <cstddef>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/recipe/recipe.hpp"

namespace heapcheck::conformance {

struct CaseFile {
  std::filesystem::path path;
  std::string text;
  std::vector<Statement> statements;
  std::size_t expectation_offset = 0;  ///< the offset of `expect` in `text`, or the end of `text` if there is
                                       ///< no `expect`

  [[nodiscard]] std::string title() const;
};

/// One sentence with the line number: `line 7: cannot read "sett x = 5"`.
using CaseError = std::string;

std::expected<std::vector<Statement>, CaseError> parse_statements(std::string_view text,
                                                                  std::size_t& expectation_offset);
std::expected<CaseFile, CaseError> read_case_file(const std::filesystem::path& path);
/// The file of the base `name` for a case at `path`, which is in the folder of the case or in the nearest
/// folder above it.
std::expected<CaseFile, CaseError> read_base_file(const std::filesystem::path& path, std::string_view name);
/// The statements of the bases that a case uses, followed by its own statements.
std::expected<std::vector<Statement>, CaseError> join_base(const CaseFile& file);

}  // namespace heapcheck::conformance
