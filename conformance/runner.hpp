// Runs cases: builds the bytes, has them checked, and compares what was found with what the case
// expects. Says what differs as text; can also write what was found into the case.
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
  std::string difference;  ///< lines for people; empty where it passed
};

/// The case files below `folder` whose names contain one of `filters` (all without any), sorted.
std::vector<std::filesystem::path> find_cases(const std::filesystem::path& folder,
                                              const std::vector<std::string>& filters);
/// `mvmheap/v3/toc/count` for a file below `folder`.
std::string name_of_case(const std::filesystem::path& folder, const std::filesystem::path& path);

/// The bytes of the case at `path`; else why there are none.
std::expected<Bytes, std::string> build_case(const std::filesystem::path& path);

/// Runs the case at `path`. With `rewrite`, its expectation becomes what was found.
Outcome run_case(const std::filesystem::path& path, bool rewrite);
/// Runs all, `jobs` at a time; outcomes in the order of `paths`.
std::vector<Outcome> run_cases(const std::vector<std::filesystem::path>& paths, bool rewrite, unsigned jobs);

}  // namespace heapcheck::conformance
