#include <array>
#include <memory>

#include "formats/core/source.hpp"
#include "heapcheck/validate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"
#include "validate/validate.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

std::string make_report(const Bytes& bytes, unsigned threads) {
  validation::Options options;
  options.limits.max_threads = threads;
  const Report report = validation::check_source(std::make_unique<core::MemorySource>(bytes), options);
  return make_json(std::array{NamedReport{"dump", &report}});
}

/// Other bytes at one place, and fewer.
std::vector<Bytes> make_damaged(const Bytes& bytes, std::size_t at) {
  Bytes changed = bytes;
  changed[at] ^= 0x11U;
  Bytes zeroed = bytes;
  for (std::size_t i = at; i < std::min(at + 200, bytes.size()); ++i) zeroed[i] = 0;
  Bytes shorter = bytes;
  shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(at));
  Bytes cut = bytes;
  cut.resize(at);
  return {changed, zeroed, shorter, cut};
}

Bytes unwrap(const Bytes& bytes) {
  auto input = core::unwrap(std::make_unique<core::MemorySource>(bytes), {});
  REQUIRE(input);
  Bytes all(std::size_t{64} << 20);
  std::size_t size = 0;
  for (auto got = input->source->read(all); got && *got != 0;
       got = input->source->read(core::MutableByteSpan(all).subspan(size)))
    size += *got;
  all.resize(size);
  return all;
}

}  // namespace

TEST_CASE("the report does not depend on the number of threads", "[threads]") {
  constexpr std::size_t places = 7;
  for (const char* const name :
       {"mvmheap/v1/seed/moar-2017.08-small.txt", "mvmheap/v2/seed/moar-2018.03-small.mvmheap",
        "mvmheap/v3/seed/moar-2022.12-nqp.mvmheap", "v8/whole/node-16.heapsnapshot.zst"}) {
    CAPTURE(name);
    const Bytes bytes = unwrap(read_corpus_bytes(name));
    REQUIRE(bytes.size() > 50'000);
    CHECK(make_report(bytes, 1) == make_report(bytes, 3));
    for (std::size_t i = 1; i <= places; ++i) {
      for (const Bytes& damaged : make_damaged(bytes, bytes.size() / (places + 1) * i))
        CHECK(make_report(damaged, 1) == make_report(damaged, 3));
    }
  }
}
