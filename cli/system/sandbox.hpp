// A sandbox around the reading of untrusted files: even code that a file managed to inject could not open
// other files, start programs or connect to the network.
#pragma once

#include <string>
#include <vector>

namespace heapcheck::cli {

/// The files that a command needs.
struct Access {
  std::vector<std::string> inputs = {};  ///< files to read; `-` is standard input
  std::string output = {};               ///< the file to write, if any; `-` is standard output
  std::string other_output = {};         ///< a second one
  std::string folder = {};               ///< a folder to read and write files in, if any
  bool needs_temporary = false;          ///< whether a temporary copy of the input is made
};

/// From now on, the process can open only the files in `access`, and can neither start programs nor create
/// sockets. Each of these restrictions applies only if the kernel supports it (Landlock since Linux 5.13, and
/// seccomp on x86-64 and AArch64). Builds with sanitizers, which need more, have no sandbox. Call this before
/// starting threads.
void enter_sandbox(const Access& access);

}  // namespace heapcheck::cli
