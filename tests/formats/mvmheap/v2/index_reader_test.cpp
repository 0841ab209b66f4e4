#include "formats/mvmheap/v2/index_reader.hpp"

#include "tests/formats/mvmheap/v2/dump.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;
using namespace heapcheck::tests::v2;
using Ids = std::vector<std::string>;

namespace {

Dump read_index(const Bytes& bytes, bool& is_complete) {
  core::MemorySource source(bytes);
  FoundSink sink;
  format::IndexReader reader(source, {}, sink);
  Dump dump = read_parts<Dump>(reader, sink);
  is_complete = reader.is_complete();
  return dump;
}

}  // namespace

TEST_CASE("both readers of version 2 agree", "[mvmheap][v2][index_reader]") {
  const std::string name = GENERATE("moar-2017.10-small", "moar-2018.03-small", "moar-2017.10-quirky-names",
                                    "no-snapshot", "layout-a", "layout-b", "layout-b-one", "layout-c");
  INFO(name);
  const Bytes sample = read_sample(name);
  const Dump by_front = read_front(sample);
  bool is_complete = false;
  const Dump by_index = read_index(sample, is_complete);
  CHECK(is_complete);
  CHECK(by_index.ids.empty());
  CHECK(is_same_model(by_index, by_front));
  CHECK(by_index.container.layout == by_front.container.layout);
  CHECK(by_index.container.index->span == by_front.container.index->span);
}

TEST_CASE("an index is followed up to the first wrong entry", "[mvmheap][v2][index_reader]") {
  Bytes sample = read_sample("moar-2018.03-small");
  const std::uint64_t entry = read_front(sample).container.index->entry_place(1).offset;
  sample[entry] += 28;
  bool is_complete = true;
  const Dump dump = read_index(sample, is_complete);
  CHECK(!is_complete);
  CHECK(dump.ids == Ids{"mvm2.section.framing"});
  CHECK(dump.parts[0].has_whole_graph);
}

TEST_CASE("a file without its trailer cannot be read by its index", "[mvmheap][v2][index_reader]") {
  Bytes sample = read_sample("moar-2018.03-small");
  sample.resize(sample.size() - 32);
  bool is_complete = true;
  const Dump dump = read_index(sample, is_complete);
  CHECK(!is_complete);
  CHECK(dump.ids.size() == 1);
}
