// Measuring what a check costs against something else: CPU time of both, in turns, in one run, and the peak
// memory of the run.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace heapcheck::bench {

struct CheckCosts {
  double other = 1e9;  ///< the least seconds
  double check = 1e9;
  double ratio = 0;
  long peak_kib = 0;
};

/// `other` says whether it could do its work. Empty where it could not, or the file is not valid.
std::optional<CheckCosts> measure_check(const std::string& path, int rounds,
                                        const std::function<bool()>& other);

/// The main function of a program that is given a DUMP and how many ROUNDS: `write` makes a file of the dump
/// at another path, and checking that is measured against reading it and counting its line feeds.
int measure_against_counting(
    int argc, char** argv, const char* usage,
    const std::function<bool(const std::string& dump, const std::string& out)>& write);

}  // namespace heapcheck::bench
