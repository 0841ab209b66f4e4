// A report for programs: one JSON document for all files, as spec/report.schema.json describes it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "heapcheck/report.hpp"

namespace heapcheck::validation::report {

/// The document, with a final line feed. `version` is heapcheck's, `reader` whom the files were checked for;
/// empty for none.
std::string make_json(std::string_view version, std::span<const NamedReport> files,
                      std::string_view reader = {});

}  // namespace heapcheck::validation::report
