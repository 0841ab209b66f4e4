// Measures runs of the benchmark program itself from outside, each in its own process, and makes files for
// these runs.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>

namespace heapcheck::bench {

struct Costs {
  double seconds = 1e9;      ///< from its start to its end
  double cpu_seconds = 1e9;  ///< user and system time
  std::uint64_t peak_bytes = 0;

  /// Keeps the lower times and the higher peak of this and `other`.
  void keep_least(const Costs& other);
};

/// Ends the program with a message.
[[noreturn]] void fail(const char* what);

/// The two ends of a new pipe; programs that are started do not inherit them.
std::array<int, 2> make_pipe();

/// Runs this program again with the arguments `command`, `with` and `path`, and waits for it to end. If
/// `is_piped`, another process writes the file to its standard input, and the path is `-`. `output` becomes
/// its standard output; -1 keeps the current one. Ends the program if the run fails.
Costs run_self(const char* command, const char* with, const std::string& path, bool is_piped, int output);

/// A file in the current folder that `write` fills and the destructor removes.
class MadeFile {
 public:
  explicit MadeFile(const std::function<void(std::FILE*)>& write);
  MadeFile(const MadeFile&) = delete;
  MadeFile& operator=(const MadeFile&) = delete;
  ~MadeFile();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] double byte_count() const { return byte_count_; }

 private:
  std::string path_ = "bench_XXXXXX";
  double byte_count_ = 0;
};

}  // namespace heapcheck::bench
