// Shared by the tests that cover every version of MoarVM dumps: functions to read seeds of the corpus, and to
// check, convert and recover dumps in memory.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "convert/mvmheap/convert.hpp"
#include "formats/core/output/output_file.hpp"
#include "formats/core/source.hpp"
#include "formats/open.hpp"
#include "recover/mvmheap/recover.hpp"
#include "tests/support/check.hpp"
#include "tests/support/files.hpp"

namespace heapcheck::tests {

/// Reads a file in corpus/mvmheap.
inline Bytes read_seed(const std::string& name) { return read_corpus_bytes("mvmheap/" + name); }

/// Everything in a dump, except for values that only some versions can represent.
struct Model {
  mvmheap::Tables tables;
  std::vector<mvmheap::Snapshot> snapshots;
  friend bool operator==(const Model& a, const Model& b) {
    return a.tables == b.tables && std::ranges::equal(a.snapshots, b.snapshots, mvmheap::is_same_graph);
  }
};

inline Model read_model(const Bytes& bytes) {
  core::MemorySource source(bytes);
  const Limits limits;
  core::SilentSink sink;
  auto dump = formats::open_mvmheap(source, limits, sink);
  REQUIRE(dump);
  Model model;
  while (const mvmheap::Part* part = dump->reader->read_part()) {
    if (part->has_snapshot) model.snapshots.push_back(part->snapshot);
  }
  model.tables = dump->reader->tables();
  return model;
}

inline conversion::mvmheap::Survey survey(const Bytes& bytes) {
  core::MemorySource source(bytes);
  const Limits limits;
  core::SilentSink sink;
  auto dump = formats::open_mvmheap(source, limits, sink);
  REQUIRE(dump);
  return conversion::mvmheap::make_survey(*dump->reader);
}

/// Converts the dump to `target`, regardless of losses.
inline Bytes convert(const Bytes& bytes, Target target) {
  core::MemorySource source(bytes);
  const Limits limits;
  core::SilentSink sink;
  const conversion::mvmheap::Survey seen = survey(bytes);
  auto dump = formats::open_mvmheap(source, limits, sink);
  REQUIRE(dump);
  core::MemorySink out;
  const auto writer = conversion::mvmheap::layout_of(target).make_writer(out, seen.file_meta, {});
  REQUIRE(conversion::mvmheap::convert(*dump->reader, seen, conversion::mvmheap::layout_of(target).capacity,
                                       limits, *writer));
  return out.bytes();
}

struct Recovered {
  Result<recovery::mvmheap::Recovery> recovery;
  Bytes bytes;
};

inline Recovered recover(const Bytes& bytes, const recovery::mvmheap::RecoverOptions& options = {}) {
  core::MemorySource source(bytes);
  core::MemorySink out;
  auto recovery = recovery::mvmheap::recover(formats::RereadableDump(source, options.limits), options, out);
  return {std::move(recovery), out.bytes()};
}

}  // namespace heapcheck::tests
