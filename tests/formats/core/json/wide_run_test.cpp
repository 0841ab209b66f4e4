#include "formats/core/json/leaf.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/lanes.hpp"
#include "tests/support/mutated_text.hpp"

using namespace heapcheck;
using core::Lanes;

namespace {

/// Integers of 1 to `most_digits` digits, each with a comma or a line feed and a comma after it.
struct Numbers {
  std::string text;
  std::vector<std::uint64_t> values;
  std::vector<std::size_t> ends;  // in the text, after each separator
};

Numbers make_numbers(std::size_t count, std::size_t most_digits, std::mt19937_64& random) {
  Numbers made;
  for (std::size_t i = 0; i < count; ++i) {
    made.values.push_back(tests::make_number(most_digits, random));
    made.text += std::to_string(made.values.back()) + (random() % 4 == 0 ? "\n," : ",");
    made.ends.push_back(made.text.size());
  }
  return made;
}

/// Decodes the front of a string whose first `count` numbers can be decoded, and checks them.
void check_front(const Numbers& made, const std::string& text, std::size_t count) {
  std::vector<std::uint64_t> values(made.values.size() + 64);
  const auto run = core::json::decode_wide_run(core::as_bytes(text), values);
  REQUIRE(run.count <= count);
  values.resize(run.count);
  CHECK(std::equal(values.begin(), values.end(), made.values.begin()));
  CHECK(run.byte_count == (run.count == 0 ? 0 : made.ends[run.count - 1]));
  // The rest is in the block of 64 bytes that ends early, or just before the end of the text.
  CHECK((count == 0 ? 0 : made.ends[count - 1]) - run.byte_count < 72);
}

void check_plain_integers(Lanes lanes) {
  constexpr unsigned longest = 16;
  const tests::LanesInUse in_use(lanes);
  std::mt19937_64 random(1);  // NOLINT(*-msc51-cpp): always the same numbers
  for (unsigned most_digits = 1; most_digits <= longest; ++most_digits) {
    const Numbers made = make_numbers(2000, most_digits, random);
    check_front(made, made.text, made.values.size());
  }
}

void check_stops(Lanes lanes) {
  const tests::LanesInUse in_use(lanes);
  std::mt19937_64 random(2);  // NOLINT(*-msc51-cpp)
  const Numbers made = make_numbers(300, 8, random);
  for (const std::string wrong : {"-1,", "007,", "1.5,", " 1,", "1 ,", "1e2,", ",", "\n1,", "1\n2,", "1]",
                                  "\"1\",", "12345678901234567,", "x,", "1\n\n,"}) {
    for (std::size_t at = 100; at < 164; ++at) {
      const std::string text = made.text.substr(0, made.ends[at]) + wrong + made.text.substr(made.ends[at]);
      check_front(made, text, at + 1);
    }
  }
}

void check_capacity(Lanes lanes) {
  const tests::LanesInUse in_use(lanes);
  std::mt19937_64 random(3);  // NOLINT(*-msc51-cpp)
  const Numbers made = make_numbers(300, 3, random);
  std::vector<std::uint64_t> values(100);
  const auto run = core::json::decode_wide_run(core::as_bytes(made.text), values);
  CHECK(run.count > 50);
  CHECK(run.count <= 100);
}

struct Decoded {
  std::size_t byte_count = 0;
  std::vector<std::uint64_t> values;
};

Decoded decode(const std::string& text, std::size_t capacity, Lanes lanes) {
  const tests::LanesInUse in_use(lanes);
  Decoded decoded{.byte_count = 0, .values = std::vector<std::uint64_t>(capacity)};
  const auto run = core::json::decode_unsigned_run(core::as_bytes(text), decoded.values);
  REQUIRE(run.count <= capacity);
  decoded.byte_count = run.byte_count;
  decoded.values.resize(run.count);
  return decoded;
}

/// Compares the lanes with the plain loop on texts that may or may not be damaged.
void check_same_as_plain(Lanes lanes) {
  std::mt19937_64 random(4);  // NOLINT(*-msc51-cpp)
  for (int i = 0; i < 20'000; ++i) {
    const Numbers made = make_numbers(random() % 200, 1 + random() % 18, random);
    const std::string text = tests::mutate_text(made.text, "0019,,\n\r /:;-.]e\x80", random);
    const std::size_t capacity = random() % 2 == 0 ? random() % 200 : 300;
    CAPTURE(text, capacity);
    const Decoded plain = decode(text, capacity, Lanes::none);
    const Decoded wide = decode(text, capacity, lanes);
    REQUIRE(wide.byte_count == plain.byte_count);
    REQUIRE(wide.values == plain.values);
  }
}

}  // namespace

TEST_CASE("AVX2 decodes integers of up to 16 digits, and stops before anything else", "[json]") {
  if (!tests::has_lanes(Lanes::avx2)) SKIP("the processor lacks AVX2");
  check_plain_integers(Lanes::avx2);
  check_stops(Lanes::avx2);
  check_capacity(Lanes::avx2);
}

TEST_CASE("AVX-512 decodes integers of up to 16 digits, and stops before anything else", "[json]") {
  if (!tests::has_lanes(Lanes::avx512)) SKIP("the processor lacks AVX-512");
  check_plain_integers(Lanes::avx512);
  check_stops(Lanes::avx512);
  check_capacity(Lanes::avx512);
}

TEST_CASE("AVX2 decodes the same integers as the plain loop", "[json]") {
  if (!tests::has_lanes(Lanes::avx2)) SKIP("the processor lacks AVX2");
  check_same_as_plain(Lanes::avx2);
}

TEST_CASE("AVX-512 decodes the same integers as the plain loop", "[json]") {
  if (!tests::has_lanes(Lanes::avx512)) SKIP("the processor lacks AVX-512");
  check_same_as_plain(Lanes::avx512);
}

TEST_CASE("integers are decoded without wide instructions", "[json]") {
  std::mt19937_64 random(5);  // NOLINT(*-msc51-cpp)
  const Numbers made = make_numbers(2000, 16, random);
  const Decoded plain = decode(made.text, 3000, Lanes::none);
  CHECK(made.text.size() - plain.byte_count < 72);
  CHECK(std::equal(plain.values.begin(), plain.values.end(), made.values.begin()));
  const tests::LanesInUse in_use(Lanes::none);
  std::vector<std::uint64_t> values(3000);
  CHECK(core::json::decode_wide_run(core::as_bytes(made.text), values).count == 0);
}
