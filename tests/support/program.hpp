// Runs heapcheck in shell commands, as a user does, and captures the output.
#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <string>

#include "tests/support/files.hpp"

namespace heapcheck::tests {

inline const std::string sound_dump = (root / "corpus/mvmheap/v3/seed/moar-2022.12-nqp.mvmheap").string();
/// A dump that is not well-formed.
inline const std::string cut_dump = (root / "corpus/mvmheap/v3/seed/cut.mvmheap").string();
inline const std::string sound_profile = (root / "corpus/v8/heapprofile/seed/small.heapprofile").string();

/// Builds with sanitizers have no sandbox, and a sanitizer's memory is not limited.
#ifdef HEAPCHECK_SANITIZED
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

struct Outcome {
  int status = -1;
  std::string out;  ///< standard output, and standard error if the command redirects it there
};

inline Outcome run_shell(const std::string& command) {
  std::FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  Outcome outcome;
  char buffer[4096];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof(buffer), pipe)) != 0;)
    outcome.out.append(buffer, got);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) outcome.status = WEXITSTATUS(status);
  return outcome;
}

/// Runs a shell command in which `heapcheck` is the program under test.
inline Outcome run(const std::string& command) {
  return run_shell("heapcheck() { " HEAPCHECK_PROGRAM " \"$@\"; }; " + command);
}

/// Starts the program with these arguments, one of which is `-`, after the shell command `before`. Once the
/// program has read part of its input, runs a Python script in which `p` is its process. Returns what the
/// script prints.
inline std::string run_while_reading(const std::string& arguments, const std::string& script,
                                     const std::string& before = "true") {
  // A pipe holds at most 1 MiB, so the program has read the rest when write() returns.
  const std::string start =
      "import os, signal, subprocess, sys\n"
      "p = subprocess.Popen(['" HEAPCHECK_PROGRAM
      "', *sys.argv[1:]], stdin=subprocess.PIPE,\n"
      "                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
      "p.stdin.write(b'[' + b' ' * (2 << 20))\n"
      "p.stdin.flush()\n"
      "def fact(of, name): return [x.split(':')[1].split() for x in open(of) if x.startswith(name)][0]\n";
  return run_shell("ulimit -c 0; " + before + "; python3 - " + arguments + " <<'END'\n" + start + script +
                   "END\n")
      .out;
}

}  // namespace heapcheck::tests
