// Property: reports on heap snapshots meet the requirements in fuzz/support/report.hpp, whichever reader they
// are made for. The last byte selects the reader, and may also select limits that are small enough to be
// reached.
#include "fuzz/support/report.hpp"

using namespace heapcheck;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  validation::ReaderProfile reader;
  const std::uint8_t control = size == 0 ? 0 : data[size - 1];
  reader.which = static_cast<validation::Reader>(control % (validation::reader_names().size() + 1));
  if (control >= 0x80) reader.max_text = reader.max_calls = control & 0x7FU;
  fuzz::require_good_report({data, size}, reader);
  return 0;
}
