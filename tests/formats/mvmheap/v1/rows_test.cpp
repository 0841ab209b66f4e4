#include "formats/mvmheap/v1/rows.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/lanes.hpp"
#include "tests/support/mutated_text.hpp"

using namespace heapcheck;
using namespace heapcheck::mvmheap::v1;
using core::Lanes;

namespace {

constexpr std::size_t field_counts[] = {type_fields.size(), reference_fields.size(),
                                        static_frame_fields.size(), collectable_fields.size()};

struct Rows {
  std::string text;
  std::vector<std::uint64_t> values;  // row by row
};

/// Rows of numbers with 1 to `longest` digits. In references, the first number is a kind.
Rows make_rows(std::size_t count, std::size_t fields, std::size_t longest, std::mt19937_64& random) {
  Rows made;
  for (std::size_t i = 0; i < count * fields; ++i) {
    const bool is_kind = fields == reference_fields.size() && i % fields == 0;
    made.values.push_back(is_kind ? random() % 4 : tests::make_number(longest, random));
    made.text += std::to_string(made.values.back()) + (i % fields + 1 == fields ? ";" : ",");
  }
  return made;
}

/// The rows of a block, starting at `first`, row by row.
std::vector<std::uint64_t> values_of(const RowBlock& block, std::size_t fields, std::size_t first) {
  std::vector<std::uint64_t> values;
  for (std::size_t row = first; row < block.count; ++row) {
    for (std::size_t field = 0; field < fields; ++field) values.push_back(block.column(field)[row]);
  }
  return values;
}

struct Decoded {
  std::size_t byte_count = 0;
  std::vector<std::uint64_t> values;
};

/// Adds rows to a block that already has `first` rows.
Decoded decode(const std::string& text, std::size_t fields, std::size_t first, Lanes lanes) {
  const tests::LanesInUse in_use(lanes);
  const auto block = std::make_unique<RowBlock>();
  block->count = first;
  Decoded decoded{.byte_count = decode_rows(core::as_bytes(text), fields, *block), .values = {}};
  REQUIRE(block->count <= RowBlock::capacity);
  decoded.values = values_of(*block, fields, first);
  return decoded;
}

std::size_t decode_wide(core::ByteSpan bytes, std::size_t fields, RowBlock& block) {
  switch (fields) {
    case 2:
      return decode_wide_rows<2>(bytes, block);
    case 3:
      return decode_wide_rows<3>(bytes, block);
    case 4:
      return decode_wide_rows<4>(bytes, block);
    default:
      return decode_wide_rows<6>(bytes, block);
  }
}

/// Checks that the lanes themselves decode all rows except the last few bytes, as long as there is room.
void check_wide_rows(Lanes lanes) {
  const tests::LanesInUse in_use(lanes);
  std::mt19937_64 random(1);  // NOLINT(*-msc51-cpp): always the same rows
  const auto block = std::make_unique<RowBlock>();
  for (const std::size_t fields : field_counts) {
    for (unsigned longest = 1; longest <= most_digits; ++longest) {
      const Rows made = make_rows(400, fields, longest, random);
      block->count = 0;
      const std::size_t used = decode_wide(core::as_bytes(made.text), fields, *block);
      CHECK(made.text.size() - used < 72);
      const std::vector<std::uint64_t> values = values_of(*block, fields, 0);
      CHECK(std::equal(values.begin(), values.end(), made.values.begin()));
      decode_wide(core::as_bytes(made.text), fields, *block);
      CHECK(block->count > RowBlock::capacity - 20);
      CHECK(block->count <= RowBlock::capacity);
    }
  }
}

/// Compares the lanes with the plain loop on texts that may or may not be damaged.
void check_same_as_plain(Lanes lanes) {
  std::mt19937_64 random(2);  // NOLINT(*-msc51-cpp)
  for (int i = 0; i < 20'000; ++i) {
    const std::size_t fields = field_counts[random() % 4];
    const Rows made = make_rows(random() % 60, fields, 1 + random() % 9, random);
    const std::string text = tests::mutate_text(made.text, "00149,,;;\n /:-.\x80", random);
    const std::size_t first = random() % 2 == 0 ? 0 : RowBlock::capacity - random() % 60;
    CAPTURE(text, fields, first);
    const Decoded plain = decode(text, fields, first, Lanes::none);
    const Decoded wide = decode(text, fields, first, lanes);
    REQUIRE(wide.byte_count == plain.byte_count);
    REQUIRE(wide.values == plain.values);
  }
}

}  // namespace

TEST_CASE("AVX2 decodes well-formed rows") {
  if (!tests::has_lanes(Lanes::avx2)) SKIP("the processor lacks AVX2");
  check_wide_rows(Lanes::avx2);
}

TEST_CASE("AVX-512 decodes well-formed rows") {
  if (!tests::has_lanes(Lanes::avx512)) SKIP("the processor lacks AVX-512");
  check_wide_rows(Lanes::avx512);
}

TEST_CASE("AVX2 decodes the same rows as the plain loop") {
  if (!tests::has_lanes(Lanes::avx2)) SKIP("the processor lacks AVX2");
  check_same_as_plain(Lanes::avx2);
}

TEST_CASE("AVX-512 decodes the same rows as the plain loop") {
  if (!tests::has_lanes(Lanes::avx512)) SKIP("the processor lacks AVX-512");
  check_same_as_plain(Lanes::avx512);
}

TEST_CASE("the plain loop decodes well-formed rows, and stops before others") {
  std::mt19937_64 random(3);  // NOLINT(*-msc51-cpp)
  for (const std::size_t fields : field_counts) {
    const Rows made = make_rows(100, fields, most_digits, random);
    const Decoded whole = decode(made.text, fields, 0, Lanes::none);
    CHECK(made.text.size() - whole.byte_count < 72);
    CHECK(std::equal(whole.values.begin(), whole.values.end(), made.values.begin()));
    for (const std::string wrong : {"01,", "123456789,", "x,", ",", "1;;"}) {
      const Decoded cut = decode(made.text + wrong + std::string(100, ' '), fields, 0, Lanes::none);
      CHECK(cut.byte_count == made.text.size());
      CHECK(cut.values == made.values);
    }
  }
  CHECK(decode("4,1,1;" + std::string(100, ' '), 3, 0, Lanes::none).byte_count == 0);
}
