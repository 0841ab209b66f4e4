// Tests ./run with a build that takes no time, using a program called cmake that does nothing.
#include <fmt/format.h>

#include <string>

#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

/// Copies ./run into the folder and makes the program `cmake` there.
void install_run(const Scratch& scratch) {
  fs::create_directory(scratch.path("cmake"));
  fs::create_directory(scratch.path("bin"));
  fs::copy_file(root / "run", scratch.path("run"));
  fs::copy_file(root / "cmake/setup.sh", scratch.path("cmake/setup.sh"));
  fs::permissions(scratch.file("bin/cmake", "#!/bin/sh\n"), fs::perms::owner_all);
}

int run_in(const Scratch& scratch, const std::string& arguments) {
  return run_shell(fmt::format("cd {}; PATH=$PWD/bin:$PATH HEAPCHECK_NO_INSTALL=1 ./run {} 2>/dev/null",
                               scratch.path().string(), arguments))
      .status;
}

}  // namespace

TEST_CASE("./run ends with the status of the program, and with 125 if it cannot run it", "[run]") {
  const Scratch scratch;
  install_run(scratch);
  CHECK(run_in(scratch, "0") == 125);  // there is no program
  fs::create_directories(scratch.path("build/run/cli"));
  fs::permissions(scratch.file("build/run/cli/heapcheck", "#!/bin/sh\nexit $1\n"), fs::perms::owner_all);
  CHECK(run_in(scratch, "0") == 0);
  CHECK(run_in(scratch, "3") == 3);
  fs::remove_all(scratch.path("build"));
  CHECK(scratch.file("build", "a file, so that no folder can be made").ends_with("build"));
  CHECK(run_in(scratch, "0") == 125);
  fs::remove(scratch.path("cmake/setup.sh"));
  CHECK(run_in(scratch, "0") == 125);
}
