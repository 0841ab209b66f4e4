// Compares the cost of a check with that of something else: measures the CPU time of both, alternately in one
// run, and the peak memory of the run.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace heapcheck::bench {

struct CheckCosts {
  double other = 1e9;  ///< the lowest time, in seconds
  double check = 1e9;
  double ratio = 0;
  long peak_kib = 0;
};

/// `other` returns whether it succeeded. If it did not, or if the file is not valid, the result is empty.
std::optional<CheckCosts> measure_check(const std::string& path, int rounds,
                                        const std::function<bool()>& other);

/// The main function of a program that is called with a DUMP and a number of ROUNDS: `write` makes a file
/// from the dump, and checking that file is compared with reading it and counting its line feeds.
int measure_against_counting(
    int argc, char** argv, const char* usage,
    const std::function<bool(const std::string& dump, const std::string& out)>& write);

}  // namespace heapcheck::bench
