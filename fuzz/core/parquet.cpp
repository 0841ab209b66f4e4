// Property: any rows are written as a Parquet file that another reader reads back unchanged, with correct
// statistics, and whose bytes depend neither on the addresses of strings nor on how many rows are written at
// once. The bytes choose the values and the number of times that each is repeated.
#include "export/writers.hpp"
#include "fuzz/support/made_rows.hpp"
#include "fuzz/support/parquet_reader.hpp"

using namespace heapcheck;
using namespace heapcheck::exports::tables;
using fuzz::require;

namespace {

constexpr exports::tables::Column columns[]{{"a", ColumnType::integer, false},
                                            {"b", ColumnType::integer, true},
                                            {"c", ColumnType::text, false},
                                            {"d", ColumnType::text, true}};

/// Writes the rows, at most `most` at a time.
std::vector<std::uint8_t> write(const std::vector<fuzz::MadeValues>& made, std::size_t most, bool is_shared) {
  core::MemorySink sink;
  const auto writer = parquet::open_parquet({"rows", columns}, sink);
  for (std::size_t first = 0; first < made[0].size(); first += most) {
    Rows rows{.count = std::min(most, made[0].size() - first), .columns = {}};
    for (std::size_t i = 0; i < std::size(columns); ++i)
      rows.columns.push_back(fuzz::borrow_values(columns[i], made[i], first, rows.count, is_shared));
    require(writer->add(rows).has_value(), "rows can be written");
  }
  require(writer->finish().has_value(), "the file can be finished");
  return sink.bytes();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Choices choices(core::ByteSpan(data, std::min<std::size_t>(size, 4096)));
  const std::size_t most = most_rows - choices.below(most_rows);
  std::vector<fuzz::MadeValues> made(std::size(columns));
  for (std::size_t left = 15'000; left != 0 && !choices.rest.empty();) {
    // Inputs with many rows are rare because they make the target slow.
    const std::size_t count =
        std::min<std::size_t>(left, choices.take_byte() < 0xFE ? choices.take_byte() : 4'000);
    for (std::size_t i = 0; i < std::size(columns); ++i)
      fuzz::make_values(columns[i], choices, count, made[i]);
    left -= count;
  }
  const std::vector<std::uint8_t> file = write(made, most, true);
  const auto read = fuzz::read_parquet(file);
  require(read.size() == made.size(), "all columns are read back");
  for (std::size_t i = 0; i < made.size(); ++i) require(read[i].values == made[i], "the values are the same");
  require(write(made, most_rows, false) == file, "the bytes depend only on the values");
  return 0;
}
