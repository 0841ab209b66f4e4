// Tests the sandbox from inside: a child process enters it and tries to do what is denied.
#include "cli/system/sandbox.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <functional>
#include <string>

#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

bool has_landlock() {
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
}

/// The value that `attempt` returns in a process in the sandbox: 0 or an error number.
int try_inside(const cli::Access& access, const std::function<int()>& attempt) {
  const pid_t child = ::fork();
  if (child == 0) {
    cli::enter_sandbox(access);
    ::_exit(attempt());
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

int error_of(int result) { return result < 0 ? errno : 0; }

std::function<int()> opening(const std::string& path, int flags) {
  return [=] { return error_of(::open(path.c_str(), flags, 0600)); };
}

}  // namespace

TEST_CASE("only the named files can be opened in the sandbox", "[sandbox]") {
  if (is_sanitized || !has_landlock()) SKIP("there is no Landlock");
  const Scratch scratch;
  const std::string input = scratch.file("input", "x");
  const std::string other = scratch.file("other", "x");
  fs::create_directory(scratch.path() / "results");
  const std::string output = (scratch.path() / "results/output").string();
  const cli::Access access{.inputs = {input}, .output = output};
  CHECK(try_inside(access, opening(input, O_RDONLY)) == 0);
  CHECK(try_inside(access, opening(input, O_WRONLY)) == EACCES);
  CHECK(try_inside(access, opening(other, O_RDONLY)) == EACCES);
  CHECK(try_inside(access, opening("/etc/passwd", O_RDONLY)) == EACCES);
  CHECK(try_inside(access, opening(scratch.path().string() + "/new", O_WRONLY | O_CREAT)) == EACCES);
  CHECK(try_inside(access, opening(output + ".temporary", O_WRONLY | O_CREAT)) == 0);
  CHECK(try_inside(access, [&] { return error_of(::unlink(other.c_str())); }) == EACCES);
  CHECK(try_inside(access,
                   [&] { return error_of(::rename((output + ".temporary").c_str(), output.c_str())); }) == 0);
}

TEST_CASE("only commands that need it can use the folder of temporary files", "[sandbox]") {
  if (is_sanitized || !has_landlock()) SKIP("there is no Landlock");
  const Scratch scratch;
  const Scratch temporary;
  const char* const before = std::getenv("TMPDIR");
  const std::string old = before == nullptr ? "" : before;
  REQUIRE(::setenv("TMPDIR", temporary.path().c_str(), 1) == 0);
  const std::string folder = scratch.path().string();
  const int create = O_WRONLY | O_CREAT;
  CHECK(try_inside({.folders = {folder}}, opening(folder + "/new", create)) == 0);
  CHECK(try_inside({.folders = {folder}}, opening(folder + "/new", O_RDONLY)) == 0);
  CHECK(try_inside({.folders = {folder}}, opening(temporary.path("new"), create)) == EACCES);
  CHECK(try_inside({.folders = {folder}, .needs_temporary = true}, opening(temporary.path("new"), create)) ==
        0);
  REQUIRE((old.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", old.c_str(), 1)) == 0);
}

TEST_CASE("the sandbox denies programs and sockets", "[sandbox]") {
  if (is_sanitized) SKIP("builds with sanitizers have no sandbox");
  CHECK(try_inside({}, [] { return error_of(::socket(AF_INET, SOCK_STREAM, 0)); }) == EPERM);
  CHECK(try_inside({}, [] { return error_of(::socket(AF_UNIX, SOCK_STREAM, 0)); }) == EPERM);
  const auto make_queue = [] {
    return error_of(static_cast<int>(::syscall(SYS_io_uring_setup, 1, nullptr)));
  };
  if (make_queue() != EPERM)
    CHECK(try_inside({}, make_queue) == EPERM);  // some containers deny this themselves
  char program[] = "/bin/true";
  CHECK(try_inside({}, [&] {
          char* const arguments[] = {program, nullptr};
          return error_of(::execv(program, arguments));
        }) == EPERM);
}

TEST_CASE("the option --sandbox off leaves the program its rights", "[program][sandbox]") {
  if (is_sanitized) SKIP("builds with sanitizers have no sandbox");
  const std::string script =
      "count = lambda process: int(fact(f'/proc/{process}/status', 'Seccomp_filters')[0])\n"
      "print(count(p.pid) - count('self'))\n"
      "p.stdin.close()\n"
      "p.wait()\n";
  for (const std::string command : {"validate", "info"}) {
    INFO(command);
    CHECK(run_while_reading(command + " -", script) == "1\n");
    CHECK(run_while_reading(command + " --sandbox on -", script) == "1\n");
    CHECK(run_while_reading(command + " --sandbox off -", script) == "0\n");
  }
}

TEST_CASE("without the sandbox, every command gives the same result", "[sandbox]") {
  const Scratch scratch;
  const std::string out = (scratch.path() / "out").string();
  for (const std::string& arguments :
       {"validate " + sound_dump, "validate " + (root / "corpus/v8").string(), "info " + sound_dump,
        "convert --to mvmheap-v1 --allow-loss -o " + out + " " + sound_dump,
        "recover -o " + out + " " + sound_dump,
        "convert --to mvmheap-v1 --allow-loss -o - " + sound_dump + " >" + out,
        "validate " + sound_dump + " --output-file " + fs::relative(out).string()}) {
    INFO(arguments);
    const Outcome inside = run("heapcheck " + arguments + " 2>&1");
    const std::string written = fs::exists(out) ? read(out) : "";
    fs::remove(out);
    const Outcome outside = run("heapcheck " + arguments + " --sandbox off 2>&1");
    CHECK(inside.status == outside.status);
    CHECK(inside.out == outside.out);
    CHECK(written == (fs::exists(out) ? read(out) : ""));
  }
}
