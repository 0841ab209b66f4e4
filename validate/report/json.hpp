// A report for programs: one JSON document for all files, as spec/report.schema.json describes it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "validate/validate.hpp"

namespace heapcheck::validation::report {

struct NamedReport {
  std::string_view name;  ///< as on the command line
  const Report* report;
};

/// The document, with a final line feed. `version` is heapcheck's, `consumer` whom the files were checked
/// for.
std::string make_json(
    std::string_view version, std::span<const NamedReport> files,
    v8::heapsnapshot::consumers::Consumer consumer = v8::heapsnapshot::consumers::Consumer::none);

}  // namespace heapcheck::validation::report
