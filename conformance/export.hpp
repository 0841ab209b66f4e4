// Writes the files of cases with a manifest of what a validator must find in each, for readers that cannot
// read case files. README.md describes the manifest.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case_record.hpp"

namespace heapcheck::conformance {

/// Returns `manifest.json` for these records. `version` is heapcheck's. The text depends on nothing else.
std::string make_manifest(std::string_view version, const std::vector<CaseRecord>& records);

/// Writes the file of each record below `folder`, which must exist.
std::expected<void, std::string> write_files(const std::filesystem::path& folder,
                                             const std::vector<CaseRecord>& records);

/// Writes all files and the manifest as the new content of `folder`, or leaves it as it was. Gives
/// why not: a folder that holds anything but an earlier export, something that cannot be written.
std::expected<void, std::string> write_export(const std::filesystem::path& folder, std::string_view version,
                                              const std::vector<CaseRecord>& records);

}  // namespace heapcheck::conformance
