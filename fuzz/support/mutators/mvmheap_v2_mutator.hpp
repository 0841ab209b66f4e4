// A version 2 dump as a list of sections with their rows, so that a fuzzer changes values, rows and
// sections and the index follows. Lenient: what is no section stays a row of bytes. Owns everything.
#pragma once

#include <string>

#include "formats/mvmheap/v2/layout.hpp"
#include "fuzz/support/mutators/mutation.hpp"

namespace heapcheck::fuzz::v2 {

struct Section {
  std::string tag;
  bool counts_before = false;     ///< its head counts the strings of the sections before, as in layout C
  std::uint64_t more = 0;         ///< what its head counts beyond the rows
  std::uint64_t entry_bytes = 0;  ///< as its head says; not written for strings
  std::vector<Bytes> rows;        ///< strings without their length
};

struct Dump {
  std::vector<Section> sections;
  Bytes rest;                ///< the index, or what could not be read
  bool counts_rows = false;  ///< whether the index counts the rows behind snapshots, as in layout A
};

/// Takes `bytes`, which start with the magic, apart.
Dump unpack_dump(core::ByteSpan bytes);

/// Puts a dump together again, with an index of its sections or with `rest` as it is.
Bytes pack_dump(const Dump& dump, bool make_index);

/// One to three changes to a dump, with everything that depends on them or without.
Bytes mutate(core::ByteSpan bytes, RandomChoices& choices);

}  // namespace heapcheck::fuzz::v2
