// Tests sessions of the shell whose dump is read as slowly as the test wants.
#include "cli/shell/session.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <functional>
#include <string>

#include "cli/shell/prompt.hpp"
#include "heapcheck/source.hpp"
#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

/// A dump whose reads wait while it is closed.
class Gate {
 public:
  Dump open() {
    const auto read_at = [this](std::uint64_t offset, std::span<std::uint8_t> buffer) {
      is_closed_.wait(true);
      const std::size_t count = std::min<std::size_t>(buffer.size(), bytes_.size() - offset);
      std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), count, buffer.begin());
      return Result<std::size_t>(count);
    };
    return open_source({.byte_count = bytes_.size(), .read_at = read_at}).value();
  }
  void set_closed(bool is_closed) {
    is_closed_ = is_closed;
    is_closed_.notify_all();
  }

 private:
  Bytes bytes_ = read_corpus_bytes("mvmheap/v3/seed/two-snapshots.mvmheap");
  std::atomic<bool> is_closed_ = false;
};

cli::Values make_shell_values() {
  cli::Values values;
  values.slot("FILE") = "dump";
  values.slot("output") = "text";
  values.slot("limit") = NoValue();
  values.slot("snapshot") = NoValue();
  return values;
}

/// What `act` prints to standard output in a process of its own, where Ctrl-C does not end it.
std::string print_apart(const std::function<void()>& act) {
  const Scratch scratch;
  const std::string path = scratch.file("out", "");
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    ::dup2(::open(path.c_str(), O_WRONLY), STDOUT_FILENO);
    cli::catch_interrupts();
    act();
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  return read(path);
}

}  // namespace

TEST_CASE("no snapshot is selected if Ctrl-C is pressed while another is read", "[shell]") {
  const std::string out = print_apart([] {
    Gate gate;
    cli::Session session(make_shell_values(), gate.open(), cli::Listener::person);
    gate.set_closed(true);
    if (!session.select_first()) ::_exit(1);
    std::raise(SIGINT);
    session.run("snapshot 0", 1);
    cli::forget_interrupt();
    gate.set_closed(false);
    session.run("leaks", 2);
  });
  // As long as no snapshot is selected, leaks are what is new in the last one.
  CHECK(out.contains(" of the last snapshot is new\n"));
}
