#include "heapcheck/source.hpp"

#include <algorithm>
#include <string>

#include "heapcheck/validate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

using namespace heapcheck;

TEST_CASE("a dump that the caller reads is like a file", "[door]") {
  for (const std::string seed :
       {"mvmheap/v1/seed/moar-2017.08-small.txt", "mvmheap/v3/seed/two-snapshots.mvmheap",
        "mvmheap/v3/seed/cut.mvmheap", "chrome/legacy/seed/chrome-64-small.json",
        "v8/heapsnapshot/seed/node-16.heapsnapshot", "v8/heapsnapshot/seed/cut.heaptimeline"}) {
    CAPTURE(seed);
    const std::string bytes = tests::read_corpus(seed);
    std::uint64_t read = 0;
    const auto dump = heapcheck::open_source(
        {.byte_count = bytes.size(),
         .read_at = [&](std::uint64_t offset, std::span<std::uint8_t> buffer) -> Result<std::size_t> {
           const auto count =
               std::min({buffer.size(), bytes.size() - static_cast<std::size_t>(offset), std::size_t{1000}});
           std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), count, buffer.begin());
           read += count;
           return count;
         }});
    REQUIRE(dump);
    const Report report = heapcheck::validate(*dump);
    const std::string path = (tests::root / "corpus" / seed).string();
    const Report expected = heapcheck::validate(path);
    const NamedReport named{.name = "dump", .report = &report};
    const NamedReport expected_named{.name = "dump", .report = &expected};
    CHECK(heapcheck::make_json({&named, 1}) == heapcheck::make_json({&expected_named, 1}));
    CHECK(read >= bytes.size());
    const auto lines = find_lines(*dump, report);
    CHECK(lines == find_lines(path, expected));
    CHECK(lines.empty() != seed.ends_with("cut.heaptimeline"));
  }
}

TEST_CASE("what the caller reads wrongly is an error", "[door]") {
  const auto open = [](Result<std::size_t> count) {
    const auto dump = heapcheck::open_source(
        {.byte_count = 100, .read_at = [count](std::uint64_t, std::span<std::uint8_t>) { return count; }});
    REQUIRE(!dump);
    CHECK(dump.error().kind == ErrorKind::unreadable);
    return dump.error().message;
  };
  CHECK(open(0).starts_with("found 0 bytes at offset 0, expected 1 to "));
  CHECK(open(101).starts_with("found 101 bytes at offset 0, expected 1 to "));
  CHECK(open(std::unexpected(Error{ErrorKind::unreadable, "the store is offline"})) ==
        "the store is offline");
}
