#include "formats/core/json/wide_run.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "formats/core/text/wide_digits.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck;

namespace {

/// Integers of 1 to `most_digits` digits, each with a comma or a line feed and a comma after it.
struct Numbers {
  std::string text;
  std::vector<std::uint64_t> values;
  std::vector<std::size_t> ends;  // in the text, after each separator
};

Numbers make_numbers(std::size_t count, unsigned most_digits) {
  std::mt19937_64 random(most_digits);  // NOLINT(*-msc51-cpp): always the same numbers
  Numbers made;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t limit = 10;
    for (std::uint64_t digits = random() % most_digits; digits != 0; --digits) limit *= 10;
    made.values.push_back(random() % limit);
    made.text += std::to_string(made.values.back()) + (random() % 4 == 0 ? "\n," : ",");
    made.ends.push_back(made.text.size());
  }
  return made;
}

/// Decodes the front of a text whose first `count` numbers can be decoded, and checks them.
void check_front(const Numbers& made, const std::string& text, std::size_t count) {
  std::vector<std::uint64_t> values(made.values.size() + 64);
  const auto run = core::json::decode_wide_run(core::as_bytes(text), values);
  REQUIRE(run.count <= count);
  values.resize(run.count);
  CHECK(std::equal(values.begin(), values.end(), made.values.begin()));
  CHECK(run.byte_count == (run.count == 0 ? 0 : made.ends[run.count - 1]));
  // What is left is in the block of 64 bytes that ends early, or before the end of the text.
  CHECK((count == 0 ? 0 : made.ends[count - 1]) - run.byte_count < 64);
}

}  // namespace

TEST_CASE("wide instructions decode integers of up to 16 digits", "[json]") {
  if (!core::has_wide_digits()) return;
  for (unsigned most_digits = 1; most_digits <= 16; ++most_digits) {
    const Numbers made = make_numbers(2000, most_digits);
    check_front(made, made.text, made.values.size());
  }
}

TEST_CASE("wide instructions stop before what is not a plain integer", "[json]") {
  if (!core::has_wide_digits()) return;
  const Numbers made = make_numbers(300, 9);
  for (const std::string wrong : {"-1,", "007,", "1.5,", " 1,", "1 ,", "1e2,", ",", "\n1,", "1\n2,", "1]",
                                  "\"1\",", "12345678901234567,", "x,", "1\n\n,"}) {
    for (std::size_t at = 100; at < 164; ++at) {
      const std::string text = made.text.substr(0, made.ends[at]) + wrong + made.text.substr(made.ends[at]);
      check_front(made, text, at + 1);
    }
  }
}

TEST_CASE("wide instructions stop before the end of the values", "[json]") {
  if (!core::has_wide_digits()) return;
  const Numbers made = make_numbers(300, 3);
  std::vector<std::uint64_t> values(100);
  const auto run = core::json::decode_wide_run(core::as_bytes(made.text), values);
  CHECK(run.count > 50);
  CHECK(run.count <= 100);
}
