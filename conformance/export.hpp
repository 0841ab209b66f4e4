// Writes the files of cases and a manifest that lists the expected findings for each file, for programs that
// cannot read case files. README.md describes the manifest.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case_record.hpp"

namespace heapcheck::conformance {

/// Returns the text of `manifest.json` for these records. `version` is heapcheck's version. The result does
/// not depend on anything else.
std::string make_manifest(std::string_view version, const std::vector<CaseRecord>& records);

/// Writes the file of each record below `folder`, which must exist.
std::expected<void, std::string> write_files(const std::filesystem::path& folder,
                                             const std::vector<CaseRecord>& records);

/// Replaces the content of `folder` with all files and the manifest. If the folder contains anything other
/// than an earlier export, or if something cannot be written, leaves the folder unchanged and returns the
/// reason.
std::expected<void, std::string> write_export(const std::filesystem::path& folder, std::string_view version,
                                              const std::vector<CaseRecord>& records);

}  // namespace heapcheck::conformance
