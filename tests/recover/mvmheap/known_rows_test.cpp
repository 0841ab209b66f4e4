#include "recover/mvmheap/known_rows.hpp"

#include <algorithm>
#include <tuple>

#include "tests/support/dumps.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

/// The offset of `text` in `bytes`.
std::size_t find_text(const Bytes& bytes, const std::string& text) {
  const auto found = std::ranges::search(bytes, text);
  REQUIRE(!found.empty());
  return static_cast<std::size_t>(found.begin() - bytes.begin());
}

/// The number of strings in the second dump that differ from the string at the same index in the first.
std::uint64_t count_other_strings(const Bytes& recovered, const Bytes& original) {
  const mvmheap::StringTable has = read_model(recovered).tables.strings;
  const mvmheap::StringTable expected = read_model(original).tables.strings;
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < expected.count(); ++i) {
    const mvmheap::StringIndex index{i};
    count += i < has.count() && has[index] == expected[index] ? 0 : 1;
  }
  return count;
}

}  // namespace

TEST_CASE("names that a doubled page repeats are removed", "[recover]") {
  for (const std::string seed : {"v1/seed/moar-2016.04-small.txt", "v1/seed/moar-2017.08-small.txt",
                                 "v2/seed/moar-2018.03-small.mvmheap"}) {
    const Bytes bytes = read_seed(seed);
    const auto page = bytes.begin() + static_cast<std::ptrdiff_t>(find_text(bytes, "BOOTArray"));
    const Bytes copy(page, page + 600);
    Bytes damaged = bytes;
    damaged.insert(damaged.begin() + (page - bytes.begin()) + 600, copy.begin(), copy.end());
    CAPTURE(seed);
    CHECK(check(damaged).findings.size() == 1);
    const Recovered recovered = recover(damaged);
    REQUIRE(recovered.recovery);
    CHECK(read_model(recovered.bytes).tables == read_model(bytes).tables);
    CHECK(check(recovered.bytes).count(Severity::warning) == 0);
  }
}

TEST_CASE("a damaged byte between names of version 1 costs nothing", "[recover]") {
  const Bytes bytes = read_seed("v1/seed/moar-2017.08-small.txt");
  const std::size_t quote = find_text(bytes, "BOOTArray\",\"") + 9;
  for (const auto& [at, value, place] : {std::tuple(quote, 0xB7, quote),
                                         {quote + 1, 0xB7, quote},
                                         {quote + 2, 0, quote + 2},
                                         {quote + 2, 2, quote + 2}}) {
    CAPTURE(at);
    Bytes damaged = bytes;
    damaged[at] = static_cast<std::uint8_t>(value);
    REQUIRE(check(damaged).findings.size() == 1);
    CHECK(check(damaged).findings[0].location.file.offset == place);
    const Recovered recovered = recover(damaged);
    REQUIRE(recovered.recovery);
    CHECK(read_model(recovered.bytes) == read_model(bytes));
  }
}

TEST_CASE("a quote between names of version 1 that became a letter costs one name", "[recover]") {
  const Bytes bytes = read_seed("v1/seed/moar-2017.08-small.txt");
  const std::size_t quote = find_text(bytes, "BOOTArray\",\"") + 9;
  for (const std::size_t at : {quote, quote + 2}) {
    CAPTURE(at);
    Bytes damaged = bytes;
    damaged[at] = 'x';
    REQUIRE(check(damaged).findings.size() == 1);
    CHECK(check(damaged).findings[0].location.file.offset == at);
    const Recovered recovered = recover(damaged);
    REQUIRE(recovered.recovery);
    CHECK(recovered.recovery->placeholders.strings == 1);
    CHECK(recovered.recovery->dropped.snapshots == 0);
    CHECK(count_other_strings(recovered.bytes, bytes) == 1);
    CHECK(check(recovered.bytes).count(Severity::warning) == 0);
  }
}

TEST_CASE("the names of version 1 are lost if an unknown one is missing", "[recover]") {
  const Bytes bytes = read_seed("v1/seed/moar-2017.08-small.txt");
  const auto between = static_cast<std::ptrdiff_t>(find_text(bytes, "BOOTArray\",\"") + 9);
  Bytes damaged = bytes;  // two names are joined into one, and nothing shows where
  damaged.erase(damaged.begin() + between, damaged.begin() + between + 3);
  REQUIRE(check(damaged).count(Severity::error) == 1);
  const Recovered recovered = recover(damaged);
  REQUIRE(recovered.recovery);
  CHECK(recovered.recovery->kept.snapshots == 0);
  recovery::mvmheap::RecoverOptions options;
  options.placeholder_names = true;
  const Recovered replaced = recover(damaged, options);
  REQUIRE(replaced.recovery);
  CHECK(replaced.recovery->dropped.snapshots == 0);
  CHECK(count_other_strings(replaced.bytes, bytes) == read_model(bytes).tables.strings.count());
  CHECK(check(replaced.bytes).count(Severity::warning) == 0);
}

TEST_CASE("a name of version 1 that ends with a comma survives a damaged comma after it", "[recover]") {
  for (const std::string name : {"\xE6\x97\xA5,", "a,"}) {
    CAPTURE(name);
    std::string text(core::as_text(read_seed("v1/seed/moar-2017.08-small.txt")));
    text.replace(text.find("BOOTArray"), 9, name);
    const Bytes whole(text.begin(), text.end());
    text.replace(text.find("\"" + name + "\",\"") + name.size() + 2, 1, "X");
    const Bytes damaged(text.begin(), text.end());
    REQUIRE(check(damaged).findings.size() == 1);
    const Recovered recovered = recover(damaged);
    REQUIRE(recovered.recovery);
    CHECK(read_model(recovered.bytes) == read_model(whole));
  }
}

TEST_CASE("a wrong length of a name in a version 2 dump costs nothing", "[recover]") {
  for (const std::string seed : {"layout-a", "layout-b", "layout-c", "moar-2017.10-small"}) {
    const Bytes bytes = read_seed("v2/seed/" + seed + ".mvmheap");
    const std::size_t length = find_text(bytes, "P6opaque") - sizeof(std::uint64_t);
    for (const auto& [byte, value] : {std::pair(0, 0), {0, 7}, {0, 9}, {0, 255}, {1, 1}, {7, 128}}) {
      CAPTURE(seed, byte, value);
      Bytes damaged = bytes;
      damaged[length + static_cast<std::size_t>(byte)] = static_cast<std::uint8_t>(value);
      const Recovered recovered = recover(damaged);
      REQUIRE(recovered.recovery);
      CHECK(read_model(recovered.bytes) == read_model(bytes));
    }
  }
}

TEST_CASE("each of several damaged names next to each other is replaced", "[recover]") {
  const Bytes bytes = read_seed("v2/seed/layout-b.mvmheap");
  const std::size_t first = find_text(bytes, "P6opaque");
  const std::size_t second = first + 8 + sizeof(std::uint64_t);
  Bytes damaged = bytes;
  damaged[first] = damaged[second] = 0xFF;
  REQUIRE(check(damaged).findings.size() == 1);
  const Recovered recovered = recover(damaged);
  REQUIRE(recovered.recovery);
  CHECK(recovered.recovery->placeholders.strings == 2);
  CHECK(check(recovered.bytes).verdict == Verdict::valid);
}

TEST_CASE("the names of a section of layout C that lacks one become placeholders", "[recover]") {
  const Bytes bytes = read_seed("v2/seed/layout-c.mvmheap");
  const std::size_t name = find_text(bytes, "P6opaque") - sizeof(std::uint64_t);
  Bytes damaged = bytes;
  damaged.erase(damaged.begin() + static_cast<std::ptrdiff_t>(name),
                damaged.begin() + static_cast<std::ptrdiff_t>(name) + 16);
  recovery::mvmheap::RecoverOptions options;
  options.is_damaged = true;
  CHECK(recover(damaged, options).bytes.empty());
  options.placeholder_names = true;
  const Recovered recovered = recover(damaged, options);
  REQUIRE(recovered.recovery);
  CHECK(recovered.recovery->placeholders.strings == 7);
  const auto strings = read_model(recovered.bytes).tables.strings;
  const auto whole = read_model(bytes).tables.strings;
  REQUIRE(strings.count() == whole.count());
  for (std::uint64_t i = 7; i < whole.count(); ++i)
    CHECK(strings[mvmheap::StringIndex{i}] == whole[mvmheap::StringIndex{i}]);
  CHECK(check(recovered.bytes).count(Severity::warning) == 0);
}

TEST_CASE("names on both sides of a gap in a section of layout C are kept", "[recover]") {
  const Bytes bytes = read_seed("v2/seed/layout-c.mvmheap");
  const auto first = static_cast<std::ptrdiff_t>(find_text(bytes, "P6opaque") + 4);
  const auto last = static_cast<std::ptrdiff_t>(find_text(bytes, "main") + 3);
  Bytes damaged = bytes;
  damaged.erase(damaged.begin() + first, damaged.begin() + last);
  recovery::mvmheap::RecoverOptions options;
  options.is_damaged = options.placeholder_names = true;
  const Recovered recovered = recover(damaged, options);
  REQUIRE(recovered.recovery);
  CHECK(recovered.recovery->placeholders.strings == 3);
  const auto strings = read_model(recovered.bytes).tables.strings;
  const auto whole = read_model(bytes).tables.strings;
  REQUIRE(strings.count() == whole.count());
  for (const std::uint64_t i : {0U, 4U, 5U, 6U, 7U})
    CHECK(strings[mvmheap::StringIndex{i}] == whole[mvmheap::StringIndex{i}]);
}

TEST_CASE("the names before the end of a version 2 dump that is truncated inside its names are kept",
          "[recover]") {
  for (const std::string seed : {"layout-b", "layout-c"}) {
    CAPTURE(seed);
    const Bytes bytes = read_seed("v2/seed/" + seed + ".mvmheap");
    recovery::mvmheap::RecoverOptions options;
    options.is_damaged = options.placeholder_names = true;
    const auto end = static_cast<std::ptrdiff_t>(find_text(bytes, "main") + 2);
    const Recovered recovered = recover(Bytes(bytes.begin(), bytes.begin() + end), options);
    REQUIRE(recovered.recovery);
    const auto strings = read_model(recovered.bytes).tables.strings;
    const auto whole = read_model(bytes).tables.strings;
    for (const std::uint64_t i : {0U, 1U, 2U})
      CHECK(strings[mvmheap::StringIndex{i}] == whole[mvmheap::StringIndex{i}]);
    CHECK(check(recovered.bytes).count(Severity::warning) == 0);
  }
}

TEST_CASE("only the snapshot with an index far beyond the other rows is lost", "[recover]") {
  const Bytes bytes = read_seed("v1/seed/two-snapshots.txt");
  std::string text(bytes.begin(), bytes.end());
  const std::string object = "1,0,24,0,0,0";
  text.replace(text.find(object), object.size(), "1,5,24,0,0,0");
  for (const bool placeholder_names : {false, true}) {
    recovery::mvmheap::RecoverOptions options;
    options.placeholder_names = placeholder_names;
    const Recovered recovered = recover({text.begin(), text.end()}, options);
    REQUIRE(recovered.recovery);
    CHECK(recovered.recovery->kept.snapshots == 1);
    CHECK(recovered.recovery->placeholders == mvmheap::TableCounts{});
    CHECK(check(recovered.bytes).verdict == Verdict::valid);
  }
}

TEST_CASE("only the snapshot with an object of a wrong type is lost", "[recover]") {
  constexpr std::size_t first_row = 16 + 20;
  constexpr std::size_t row_bytes = 28;
  // The strings come after the first snapshot and after all snapshots.
  for (const std::string seed :
       {"v2/seed/moar-2017.10-small.mvmheap", "v2/seed/moar-2018.03-small.mvmheap"}) {
    CAPTURE(seed);
    Bytes damaged = read_seed(seed);
    const std::size_t count = read_model(damaged).snapshots.size();
    std::size_t row = first_row;
    while (damaged[row] != static_cast<std::uint8_t>(mvmheap::CollectableKind::object)) row += row_bytes;
    std::uint8_t& type = damaged[row + 2];
    type = type == 5 ? 6 : 5;
    const Report report = check(damaged);
    REQUIRE(report.findings.size() == 1);
    REQUIRE(report.findings[0].rule->id == "mvm.refs.stable");
    const Recovered recovered = recover(damaged);
    REQUIRE(recovered.recovery);
    REQUIRE(recovered.recovery->dropped_snapshots.size() == 1);
    CHECK(recovered.recovery->dropped_snapshots[0].reason == report.findings[0].message);
    CHECK(read_model(recovered.bytes).snapshots.size() == count - 1);
    CHECK(check(recovered.bytes).findings.empty());
  }
}
