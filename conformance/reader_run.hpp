// Runs another program on the files of the cases and prints the disagreements.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/case_record.hpp"
#include "conformance/reader.hpp"

namespace heapcheck::conformance {

struct ReaderRun {
  ExternalReader reader;
  /// Selects the cases for this reader; if empty, the cases for no particular reader.
  std::string for_reader;
  unsigned jobs = 1;
  std::size_t max_names = 0;  ///< the maximum number of names listed for each kind of disagreement
  bool as_json = false;
};

/// Prints the result. Returns whether the reader's answer is correct for every case on which it was run, or
/// the reason why it could not be run.
std::expected<bool, std::string> run_reader(const ReaderRun& run, const std::vector<CaseRecord>& records);

}  // namespace heapcheck::conformance
