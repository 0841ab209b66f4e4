// Runs cases: builds the bytes, has them checked, and compares the findings with the expectations of the
// case. Describes the differences as text, and can replace the expectations of a case with the actual
// findings.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <vector>

#include "conformance/recipe/case_file.hpp"
#include "conformance/recipe/document.hpp"

namespace heapcheck::conformance {

struct Outcome {
  std::string name;
  bool passed = false;
  bool rewritten = false;
  std::string difference;  ///< human-readable lines; empty if the case passed
};

/// The sorted case files below `folder` whose names contain one of `filters`, or all case files if there are
/// no filters.
std::vector<std::filesystem::path> find_cases(const std::filesystem::path& folder,
                                              const std::vector<std::string>& filters);
/// `mvmheap/v3/toc/count` for a file below `folder`.
std::string name_of_case(const std::filesystem::path& folder, const std::filesystem::path& path);

/// Returns the bytes of the case at `path`, or the reason why there are none.
std::expected<Bytes, std::string> build_case(const std::filesystem::path& path);

/// Runs the case at `path`. If `rewrite` is true, replaces its expectations with the actual findings.
Outcome run_case(const std::filesystem::path& path, bool rewrite);
/// Runs all cases, `jobs` at a time. The outcomes are in the order of `paths`.
std::vector<Outcome> run_cases(const std::vector<std::filesystem::path>& paths, bool rewrite, unsigned jobs);

}  // namespace heapcheck::conformance
