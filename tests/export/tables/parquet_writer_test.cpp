#include "export/writers.hpp"

#include <algorithm>
#include <string>

#include "formats/core/codec.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck;
using namespace heapcheck::exports::tables;

namespace {

constexpr Column parquet_columns[]{{"id", ColumnType::integer, false}, {"name", ColumnType::text, true}};

/// Makes `count` rows with consecutive ids that start at `first`. Every third row has no name, and the others
/// share `names`.
Rows make_rows(std::size_t first, std::size_t count, const std::vector<std::string>& names) {
  Rows rows{.count = count, .columns = std::vector<Values>(2)};
  for (std::size_t row = first; row < first + count; ++row) {
    rows.columns[0].integers.push_back(static_cast<std::int64_t>(row));
    rows.columns[1].texts.push_back(names[row % names.size()]);
    rows.columns[1].is_present.push_back(row % 3 != 0);
  }
  return rows;
}

/// Writes a file with `count` rows, of which at most `most` are added at a time.
std::string write(std::size_t count, std::size_t most, const std::vector<std::string>& names) {
  core::MemorySink sink;
  const auto writer = parquet::open_parquet({"nodes", parquet_columns}, sink);
  for (std::size_t first = 0; first < count; first += most)
    REQUIRE(writer->add(make_rows(first, std::min(most, count - first), names)));
  REQUIRE(writer->finish());
  return std::string(core::as_text(sink.bytes()));
}

/// The footer without its size and the magic bytes.
std::string find_footer(const std::string& file) {
  REQUIRE(file.size() > 12);
  const auto* size = core::as_bytes(file).data() + file.size() - 8;
  return file.substr(file.size() - 8 - core::decode_le<std::uint32_t>(size),
                     core::decode_le<std::uint32_t>(size));
}

/// Whether the file has this many row groups, fewer than 15. `rows` is the encoded field of their rows.
bool has_groups(const std::string& file, const std::string& rows, int count) {
  return find_footer(file).find(rows + '\x19' + static_cast<char>(count << 4 | 0xC)) != std::string::npos;
}

class FullSink final : public core::ByteSink {
 public:
  Result<void> write(core::ByteSpan) override {
    return std::unexpected(Error{ErrorKind::unwritable, "the disk is full"});
  }
};

}  // namespace

TEST_CASE("a table without rows is a file with a schema and no row group", "[parquet]") {
  // The fields of FileMetaData, as apache/parquet-format defines them in parquet.thrift.
  const std::string footer = std::string("\x15\x02", 2) +                    // version 1
                             "\x19\x3C" +                                    // schema: 3 elements
                             std::string("\x48\x05nodes\x15\x04\0", 10) +    // the root with 2 columns
                             std::string("\x15\x04\x25\0\x18\x02id\0", 9) +  // INT64, required
                             std::string(
                                 "\x15\x0C\x25\x02\x18\x04name"  // BYTE_ARRAY, optional
                                 "\x25\0\x4C\x1C\0\0\0",         // UTF8, STRING
                                 17) +
                             std::string("\x16\0\x19\x0C", 4) +             // no rows, no groups
                             "\x28\x09heapcheck" +                          // created by
                             std::string("\x19\x2C\x1C\0\0\x1C\0\0\0", 9);  // orders of the columns
  const std::string file = write(0, 1, {""});
  CHECK(find_footer(file) == footer);
  CHECK(file ==
        "PAR1" + footer + std::string(1, static_cast<char>(footer.size())) + std::string(3, '\0') + "PAR1");
}

TEST_CASE("the bytes of a Parquet file do not depend on how many rows are added at once", "[parquet]") {
  const std::vector<std::string> names{"a", "b", "c", "a long name", ""};
  const std::string file = write(140'000, most_rows, names);
  CHECK(write(140'000, 777, names) == file);
  const std::vector<std::string> copies = names;
  CHECK(write(140'000, 16'000, copies) == file);
}

TEST_CASE("row groups have 131,072 rows", "[parquet]") {
  CHECK(has_groups(write(131'072, most_rows, {"x"}), "\x16\x80\x80\x10", 1));
  CHECK(has_groups(write(131'073, most_rows, {"x"}), "\x16\x82\x80\x10", 2));
}

TEST_CASE("long texts end a row group early unless they are repeated", "[parquet]") {
  std::vector<std::string> names;
  for (char c = 'a'; c < 'y'; ++c) names.emplace_back(std::size_t{6} << 20U, c);
  CHECK(has_groups(write(24, 24, names), "\x16\x30", 2));
  // Without a dictionary, this file would be 12 GB before compression.
  const std::string file = write(3000, 3000, {names[0]});
  CHECK(has_groups(file, "\x16\xF0\x2E", 1));
  CHECK(file.size() < 100'000);
}

TEST_CASE("a sink that is full makes writing a Parquet file fail", "[parquet]") {
  FullSink sink;
  const auto writer = parquet::open_parquet({"nodes", parquet_columns}, sink);
  CHECK(writer->add(make_rows(0, 10, {"x"})));
  const Result<void> done = writer->finish();
  REQUIRE_FALSE(done);
  CHECK(done.error().kind == ErrorKind::unwritable);
}
