// MoarVM dumps for tests of what works on every version: the corpus's seeds, and what checking and
// recovering them in memory gives.
#pragma once

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "formats/core/output_file.hpp"
#include "formats/core/source.hpp"
#include "formats/registry_mvmheap.hpp"
#include "tests/support/catch.hpp"
#include "validate/mvmheap/recover.hpp"
#include "validate/validate.hpp"

namespace heapcheck::tests {

using Bytes = std::vector<std::uint8_t>;

/// A file below corpus/mvmheap.
inline Bytes read_seed(const std::string& name) {
  std::ifstream file(HEAPCHECK_SOURCE_DIR "/corpus/mvmheap/" + name, std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline validate::FileReport check(const Bytes& bytes) {
  return validate::check_source(std::make_unique<core::MemorySource>(bytes), {});
}

/// All that a dump means, but for what only some versions say of it.
struct Model {
  mvmheap::Tables tables;
  std::vector<mvmheap::Snapshot> snapshots;
  friend bool operator==(const Model& a, const Model& b) {
    return a.tables == b.tables && std::ranges::equal(a.snapshots, b.snapshots, mvmheap::is_same_graph);
  }
};

inline Model read_model(const Bytes& bytes) {
  core::MemorySource source(bytes);
  const core::Limits limits;
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

inline mvmheap::Survey survey(const Bytes& bytes) {
  core::MemorySource source(bytes);
  const core::Limits limits;
  core::SilentSink sink;
  auto dump = formats::open_mvmheap(source, limits, sink);
  REQUIRE(dump);
  return mvmheap::make_survey(*dump->reader);
}

/// The dump as `target` has it, whatever is lost.
inline Bytes convert(const Bytes& bytes, formats::Target target) {
  core::MemorySource source(bytes);
  const core::Limits limits;
  core::SilentSink sink;
  const mvmheap::Survey seen = survey(bytes);
  auto dump = formats::open_mvmheap(source, limits, sink);
  REQUIRE(dump);
  core::MemorySink out;
  const auto writer = formats::make_writer(target, out, seen.file_meta, {});
  REQUIRE(mvmheap::convert(*dump->reader, seen, formats::capacity_of(target), limits, *writer));
  return out.bytes();
}

struct Recovered {
  core::Result<validate::mvmheap::Recovery> recovery;
  Bytes bytes;
};

inline Recovered recover(const Bytes& bytes, const validate::mvmheap::RecoverOptions& options = {}) {
  core::MemorySource source(bytes);
  core::MemorySink out;
  auto recovery = validate::mvmheap::recover(source, options, out);
  return {std::move(recovery), out.bytes()};
}

}  // namespace heapcheck::tests
