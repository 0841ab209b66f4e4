// Tests the limits of the program as a whole: its memory and its time, whatever a file contains.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "cli/check/check_files.hpp"
#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

struct Usage {
  int status;
  std::uint64_t peak;  // the peak of resident memory, in bytes
};

/// Runs the program with these arguments, without a shell. Its output is discarded.
Usage measure(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), HEAPCHECK_PROGRAM);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    const int null = ::open("/dev/null", O_WRONLY);
    if (null >= 0 && ::dup2(null, STDOUT_FILENO) >= 0 && ::dup2(null, STDERR_FILENO) >= 0)
      ::execv(HEAPCHECK_PROGRAM, pointers.data());
    ::_exit(127);
  }
  int status = 0;
  rusage usage{};
  REQUIRE(::wait4(child, &status, 0, &usage) == child);
  REQUIRE(WIFEXITED(status));
  return {WEXITSTATUS(status), static_cast<std::uint64_t>(usage.ru_maxrss) * 1024};
}

/// Writes a version 1 dump with a name that consists of 128 MB of quotes. Uses a shell, because a child's
/// peak includes the memory of this process.
std::string write_quotes(const Scratch& scratch) {
  const std::string path = scratch.file("quotes.txt", "strings: [");
  REQUIRE(run_shell("head -c 128M /dev/zero | tr '\\0' '\"' >> " + path).status == 0);
  return path;
}

/// A trace with an empty heap dump for each of many processes.
std::string make_processes() {
  std::string trace = R"({"traceEvents":[)";
  for (unsigned pid = 1; pid <= 60'000; ++pid) {
    trace += fmt::format(R"({}{{"ph":"v","pid":{},"ts":1,"name":"x","id":"1","args":{{"dumps":{{"heaps_v2":)"
                         R"({{"version":1,"allocators":{{}},"maps":{{}}}}}}}}}})",
                         pid == 1 ? "" : ",", pid * 17);
  }
  return trace + "]}";
}

}  // namespace

TEST_CASE("every command stays within --max-memory and 64 MB", "[program][limits]") {
  if (is_sanitized) SKIP("sanitizers take memory of their own");
  const Scratch scratch;
  const std::string out = (scratch.path() / "out").string();
  for (const auto& [path, format] : {std::pair{write_quotes(scratch), "mvmheap-v3"},
                                     {scratch.file("pids.json", make_processes()), "heaps-v2"}}) {
    for (const std::vector<std::string>& command :
         std::vector<std::vector<std::string>>{{"validate", "--jobs", "1", path},
                                               {"info", path},
                                               {"info", "--output", "json", path},
                                               {"convert", "--to", format, path, "-o", out},
                                               {"recover", path, "-o", out}}) {
      INFO(path << " " << command[0]);
      std::vector<std::string> arguments = command;
      arguments.insert(arguments.end(), {"--max-memory", "16M"});
      const Usage usage = measure(arguments);
      CHECK(usage.peak <= std::uint64_t{80} << 20);
      CHECK(usage.status == 5);
      CHECK(!fs::exists(out));
    }
  }
}

TEST_CASE("memory follows the size of a file, not the numbers in it", "[program][limits]") {
  if (is_sanitized) SKIP("sanitizers take memory themselves");
  const Scratch scratch;
  const std::string path =
      scratch.file("large-indices.txt", R"(strings: ["P6opaque","Foo","main","cuid_1","main.nqp"]
types: 0,1;134217727,268435455
static_frames: 2,3,1,4

snapshot 0
collectables: 9,0,0,0,0,3;1,134217727,24,0,0,0;1,268435455,24,0,0,0;3,134217727,192,0,0,0;3,268435455,192,0,0,0
references: 0,0,1;0,0,2;0,0,3

)");
  const std::string out = (scratch.path() / "out").string();
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"validate", path}, {"summary", path}, {"recover", path, "-o", out}}) {
    INFO(command[0]);
    const Usage usage = measure(command);
    CHECK(usage.peak <= std::uint64_t{80} << 20);  // the indices would take up 128 MB each
    CHECK((usage.status == 1 || usage.status == 3 || usage.status == 4));
  }
}

TEST_CASE("several threads that work on a file stay within twice that", "[program][limits]") {
  if (is_sanitized) SKIP("sanitizers take memory of their own");
  const Scratch scratch;
  for (const std::string& path : {write_quotes(scratch), scratch.file("pids.json", make_processes())}) {
    INFO(path);
    const Usage usage = measure({"validate", "--jobs", "8", path, "--max-memory", "16M"});
    CHECK(usage.peak <= std::uint64_t{160} << 20);
    CHECK(usage.status == 5);
  }
}

TEST_CASE("memory is for the files that are checked at the same time, twice if they have several threads",
          "[limits]") {
  using heapcheck::cli::count_shares;
  CHECK(count_shares(1, 0) == 1);
  CHECK(count_shares(1, 100) == 1);
  CHECK(count_shares(8, 1) == 2);
  CHECK(count_shares(8, 5) == 5);
  CHECK(count_shares(8, 4) == 8);
  CHECK(count_shares(8, 100) == 8);
}

TEST_CASE("the system gives the program no more memory than --max-memory allows", "[program][limits]") {
  if (is_sanitized) SKIP("sanitizers reserve far more than any limit");
  // For each share of the memory 16 + 48 MiB, and 8 MiB for the stack of each thread.
  for (const auto& [arguments, mebibytes] : {std::pair<std::string, std::uint64_t>{"info", 64 + 8},
                                             {"validate --jobs 1", 64 + 8},
                                             {"validate --jobs 3", 2 * 64 + 3 * 8}}) {
    INFO(arguments);
    CHECK(run_while_reading(arguments + " --max-memory 16M -",
                            "for line in open(f'/proc/{p.pid}/limits'):\n"
                            "    if line.startswith('Max data size'): print(line.split()[3])\n"
                            "p.stdin.close()\n"
                            "p.wait()\n") == fmt::format("{}\n", mebibytes << 20U));
  }
}

TEST_CASE("threads for which the system has little memory do not end the program", "[program][limits]") {
  if (is_sanitized) SKIP("sanitizers need more memory");
  const Scratch scratch;
  const std::string path = scratch.file("pids.json", make_processes());
  for (const unsigned kilobytes : {12'000U, 16'000U, 24'000U, 40'000U, 80'000U}) {
    for (const unsigned jobs : {1U, 3U, 8U}) {
      const int status = run(fmt::format("ulimit -d {}; heapcheck validate --quiet --jobs {} {} 2>&1",
                                         kilobytes, jobs, path))
                             .status;
      INFO(kilobytes << " KB, " << jobs << " jobs");
      CHECK((status == 5 || (status == 0 && kilobytes > 24'000)));
    }
  }
}

TEST_CASE("a pipe that never ends is undecided after --timeout", "[program][limits]") {
  const Outcome outcome = run("(printf [; yes '') | heapcheck validate --timeout 1 -");
  CHECK(outcome.status == 5);
  CHECK(outcome.out.find("[limit.time]") != std::string::npos);
  CHECK(outcome.out.find("undecided: 0 errors") != std::string::npos);
}

TEST_CASE("a pipe that delivers nothing ends the run after --timeout", "[program][limits]") {
  const Scratch scratch;
  const std::string pipe = (scratch.path() / "pipe").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const std::string command : {"validate", "info"}) {
    const Outcome outcome = run("heapcheck " + command + " --timeout 1 - <>" + pipe + " 2>&1");
    CHECK(outcome.status == 5);
    CHECK(outcome.out == "heapcheck: the time limit was reached, so nothing is decided\n");
  }
  const std::string report = scratch.path("report");
  CHECK(run("heapcheck validate --timeout 1 --output-file " + report + " - <>" + pipe + " 2>&1").status == 5);
  CHECK(scratch.file_count() == 1);  // the pipe
  for (const std::string option : {"--files-from", "--baseline"}) {
    INFO(option);
    CHECK(run("heapcheck validate --timeout 1 " + sound_dump + " " + option + " " + pipe + " 2>&1").status ==
          5);
  }
}

TEST_CASE("files that --timeout leaves no time for are undecided, and the others are reported",
          "[program][limits]") {
  const Scratch scratch;
  const std::string start = scratch.file("start", "[");
  const Outcome outcome =
      run("(printf [; yes '') | heapcheck validate --timeout 1 --jobs 1 " + sound_dump + " - " + start);
  CHECK(outcome.status == 5);
  CHECK(outcome.out.find(sound_dump + ": mvmheap-v3, valid") != std::string::npos);
  CHECK(outcome.out.find(start + ": undecided: the time limit was reached") != std::string::npos);
}

TEST_CASE("a search in input that never ends is given up", "[program]") {
  for (const std::string seed : {"v2/seed/layout-a.mvmheap", "v3/seed/two-snapshots.mvmheap"}) {
    const std::string path = (root / "corpus/mvmheap" / seed).string();
    const Outcome outcome = run("(head -c 16 " + path + "; cat /dev/zero) | heapcheck validate -");
    CHECK(outcome.status == 5);
    CHECK(outcome.out.find("[limit.search-bytes]") != std::string::npos);
  }
}
