// Holds another program against the cases: writes their files, runs it on each, and prints where it
// disagrees.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/case_record.hpp"
#include "conformance/reader.hpp"

namespace heapcheck::conformance {

struct ReaderRun {
  ExternalReader reader;
  std::string for_reader;  ///< asks about the cases for this one; empty: about those for nobody in particular
  unsigned jobs = 1;
  std::size_t max_names = 0;  ///< of each kind of disagreement
  bool as_json = false;
};

/// Prints the result. Gives whether the reader agrees with every case that it was asked about; else
/// why it could not be asked.
std::expected<bool, std::string> run_reader(const ReaderRun& run, const std::vector<CaseRecord>& records);

}  // namespace heapcheck::conformance
