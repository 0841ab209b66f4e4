// Tests how other programs are run on the cases: how their answers are told apart, and which cases are left
// out.
#include <regex>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/program.hpp"

using namespace heapcheck;
using tests::Outcome;
using tests::run_shell;
using tests::Scratch;

namespace {

/// Runs `reader` on the cases of one topic: three valid files and four that are not valid.
Outcome run_reader(const std::string& reader, const std::string& more = "mvmheap/v1/file") {
  return run_shell(HEAPCHECK_CONFORMANCE_PROGRAM " run --reader \"" + reader + "\" " + more + " 2>&1");
}

void check_says(const Outcome& outcome, const std::string& words) {
  INFO(outcome.out);
  CHECK(outcome.out.find(words) != std::string::npos);
}

}  // namespace

TEST_CASE("a reader that accepts everything is wrong about invalid files", "[reader]") {
  const Outcome outcome = run_reader("true {}");
  CHECK(outcome.status == 1);
  check_says(outcome, "| mvmheap/v1 | 3 | 0 | 0 | 4 | 0 | 0 | 0 |\n");
  check_says(outcome, "accepts an invalid file (4):\n  mvmheap/v1/file/");
}

TEST_CASE("a reader that refuses everything is wrong about valid files", "[reader]") {
  const Outcome outcome = run_reader("false {}");
  CHECK(outcome.status == 1);
  check_says(outcome, "| mvmheap/v1 | 0 | 3 | 4 | 0 | 0 | 0 | 0 |\n");
  check_says(outcome, "refuses a valid file (3):\n");
}

TEST_CASE("a reader that is ended by a signal has crashed", "[reader]") {
  check_says(run_reader("kill -SEGV \\$\\$ {}"), "| mvmheap/v1 | 0 | 0 | 0 | 0 | 7 | 0 | 0 |\n");
  check_says(run_reader("(kill -SEGV \\$(sh -c 'echo \\$PPID'); true {}); exit \\$?"), " | 7 | 0 | 0 |\n");
}

TEST_CASE("a reader that does not end is reported as hanging, and is killed with its children", "[reader]") {
  const Scratch scratch;
  const std::string lock = scratch.file("lock", "");
  const Outcome outcome =
      run_reader("flock " + lock + " sleep 600 & sleep 600; true {}", "--reader-timeout 0.2 v1/file/two");
  CHECK(outcome.status == 1);
  check_says(outcome, "| mvmheap/v1 | 0 | 0 | 0 | 0 | 0 | 1 | 0 |\n");
  // A child that lives on holds the lock for 600 seconds.
  CHECK(run_shell("flock --timeout 60 " + lock + " true").status == 0);
}

TEST_CASE("the exit status is 0 for a reader that is right about every file", "[reader]") {
  const Outcome outcome = run_reader(HEAPCHECK_PROGRAM " validate --quiet {}");
  INFO(outcome.out);
  CHECK(outcome.status == 0);
  check_says(outcome, "| mvmheap/v1 | 3 | 0 | 4 | 0 | 0 | 0 | 0 |\n");
}

TEST_CASE("a reader is not asked about limits and compression", "[reader]") {
  check_says(run_reader("true {}", "mvmheap/v3/compression mvmheap/v3/limits"),
             "| mvmheap/v3 | 1 | 0 | 0 | 0 | 0 | 0 | 13 |\n");
}

TEST_CASE("a reader is asked about the cases for one reader only if it claims to be that reader",
          "[reader]") {
  const std::string filter = "heapsnapshot/devtools/column heapsnapshot/edges/type";
  check_says(run_reader("true {}", filter), "| v8/heapsnapshot | 1 | 0 | 0 | 1 | 0 | 0 | 3 |\n");
  check_says(run_reader("true {}", "--for devtools " + filter),
             "| v8/heapsnapshot | 3 | 0 | 0 | 0 | 0 | 0 | 2 |\n");
}

TEST_CASE("the file name is one word for the reader, wherever it appears", "[reader]") {
  const Scratch scratch;
  const std::string folder = (scratch.path() / "it's a place").string();
  std::filesystem::create_directory(folder);
  const Outcome outcome = run_shell("TMPDIR=\"" + folder +
                                    "\" " HEAPCHECK_CONFORMANCE_PROGRAM
                                    " run --reader 'test -f {} && test -s {}' v1/file/two 2>&1");
  CHECK(outcome.status == 0);
  CHECK(std::filesystem::is_empty(folder));
}

TEST_CASE("the answers of a reader are also available as JSON", "[reader]") {
  const Outcome outcome = run_reader("true {}", "--output json v1/file/two v3/compression/damaged");
  check_says(outcome, "\"reader\": \"true {}\"");
  check_says(outcome, "\"reader\": \"accepts\",\n      \"agrees\": true");
  check_says(outcome, "\"reader\": null");
}

TEST_CASE("a reader that cannot be run is not judged", "[reader]") {
  CHECK(run_reader("no-such-program {}").status == 2);
  CHECK(run_reader("true").status == 2);
  CHECK(run_reader("true {}", "no/such/case").status == 2);
  CHECK(run_reader("true {}", "--rewrite v1/file").status == 2);
  CHECK(run_shell(HEAPCHECK_CONFORMANCE_PROGRAM " run --list 2>&1").status == 2);
}
