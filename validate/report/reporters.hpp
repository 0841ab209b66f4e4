// The reporters, each of which has its own source file. heapcheck/types/reporter.hpp describes what a
// reporter does.
#pragma once

#include <memory>
#include <string_view>

#include "heapcheck/types/reporter.hpp"

namespace heapcheck::validation::report {

std::unique_ptr<Reporter> make_text_reporter(const ReportOptions& options);
/// `version` is the version of heapcheck.
std::unique_ptr<Reporter> make_json_reporter(std::string_view version, const ReportOptions& options);
std::unique_ptr<Reporter> make_ndjson_reporter();
std::unique_ptr<Reporter> make_sarif_reporter(std::string_view version);
std::unique_ptr<Reporter> make_junit_reporter();
std::unique_ptr<Reporter> make_github_reporter();
std::unique_ptr<Reporter> make_gitlab_reporter();

}  // namespace heapcheck::validation::report
