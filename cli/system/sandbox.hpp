// A sandbox for reading untrusted files: even if a file managed to inject code, that code could not open
// other files, start programs or connect to the network.
#pragma once

#include <string>
#include <vector>

namespace heapcheck::cli {

/// The files that a command needs.
struct Access {
  std::vector<std::string> inputs = {};   ///< files to read; `-` means standard input
  std::string output = {};                ///< the file to write, if any; `-` means standard output
  std::string other_output = {};          ///< a second file to write, if any
  std::vector<std::string> folders = {};  ///< folders in which to read and write files
  bool needs_temporary = false;           ///< whether a temporary copy of the input will be made
};

/// After this call, the process can open only the files in `access`, and can neither start programs nor
/// create sockets. Each of these restrictions applies only if the kernel supports it (Landlock since Linux
/// 5.13, and seccomp on x86-64 and AArch64). Builds with sanitizers have no sandbox, because sanitizers need
/// more rights. Call this before starting threads.
void enter_sandbox(const Access& access);

}  // namespace heapcheck::cli
