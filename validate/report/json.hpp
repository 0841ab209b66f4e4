// A report for programs: one JSON document for all files, as described by spec/report.schema.json.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "heapcheck/report.hpp"

namespace heapcheck::validation::report {

/// The document, with a final line feed. `version` is the version of heapcheck; `reader` is the program that
/// the files were checked for, or empty.
std::string make_json(std::string_view version, std::span<const NamedReport> files,
                      std::string_view reader = {});

}  // namespace heapcheck::validation::report
