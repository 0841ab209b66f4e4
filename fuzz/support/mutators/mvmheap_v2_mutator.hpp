// A version 2 dump as a list of sections with their rows, so that a fuzzer can change values, rows and
// sections, and the index can be adjusted. Parsing is lenient: bytes outside sections are kept as they are.
// Owns its data.
#pragma once

#include <string>

#include "formats/mvmheap/v2/layout.hpp"
#include "fuzz/support/mutators/mutation.hpp"

namespace heapcheck::fuzz::v2 {

struct Section {
  std::string tag;
  bool counts_before = false;     ///< whether its count is the number of earlier strings, as in layout C
  std::uint64_t more = 0;         ///< the count in its head minus the number of rows
  std::uint64_t entry_bytes = 0;  ///< the entry size from its head; not written for strings
  std::vector<Bytes> rows;        ///< strings without their length
};

struct Dump {
  std::vector<Section> sections;
  Bytes rest;                ///< the index, or bytes that could not be parsed
  bool counts_rows = false;  ///< whether the index counts the rows after snapshots, as in layout A
};

/// Parses `bytes`, which start with the magic.
Dump unpack_dump(core::ByteSpan bytes);

/// Writes a dump, with a new index of its sections or with `rest` as it is.
Bytes pack_dump(const Dump& dump, bool make_index);

/// Makes one to three changes to a dump, with or without adjusting counts, sizes and the index.
Bytes mutate(core::ByteSpan bytes, RandomChoices& choices);

}  // namespace heapcheck::fuzz::v2
