// A report for programs: one JSON document for all files, as spec/report.schema.json describes it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "validate/validate.hpp"

namespace heapcheck::validate::report {

struct NamedReport {
  std::string_view name;  ///< as on the command line
  const FileReport* report;
};

/// The document, with a final line feed. `version` is heapcheck's, `consumer` whom the files were checked
/// for.
std::string make_json(std::string_view version, std::span<const NamedReport> files,
                      Consumer consumer = Consumer::none);

}  // namespace heapcheck::validate::report
