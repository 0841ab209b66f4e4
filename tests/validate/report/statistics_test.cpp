#include "validate/report/statistics.hpp"

#include <string>

#include "formats/core/faults.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck;

TEST_CASE("statistics name the files that took longer than a second, the slowest first", "[report]") {
  validation::report::Statistics statistics;
  const Report report;
  for (const double seconds : {1.5, 0.9, 3.25, 1.5, 7.0, 1.25, 2.0}) {
    const std::string name = "file-" + std::to_string(static_cast<int>(seconds * 100));
    statistics.add({.name = name, .report = &report, .seconds = seconds});
  }
  CHECK(statistics.make_text() ==
        "no rule is broken\nslowest:\n       7.0 s  file-700\n       3.2 s  file-325\n"
        "       2.0 s  file-200\n       1.5 s  file-150\n       1.5 s  file-150\n");
}

TEST_CASE("statistics in JSON have the rules and the slowest files", "[report]") {
  validation::report::Statistics statistics;
  Report report;
  report.more.push_back({&core::rules::zstd_frame_corrupt, 3});
  statistics.add({.name = "a", .report = &report, .seconds = 2});
  std::string text;
  core::JsonWriter json(text);
  json.begin_object();
  statistics.write(json);
  json.end_object();
  CHECK(text ==
        R"({"statistics":{"rules":[{"id":"zstd.frame.corrupt","severity":"error","findings":3,"files":1}],)"
        R"("slowest":[{"path":"a","seconds":2}]}})");
}
