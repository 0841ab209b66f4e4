// Writes a Parquet file with 300,000 rows to standard output, for parquet.mjs. The values are computed from
// the row number.
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "export/writers.hpp"
#include "formats/core/output/output_file.hpp"

using namespace heapcheck;
using namespace heapcheck::exports::tables;

namespace {

constexpr std::size_t row_count = 300'000;
constexpr std::size_t kind_count = 7;
constexpr std::size_t path_count = 20'000;
constexpr std::size_t long_bytes = 3 << 20;

constexpr Column columns[]{{"node", ColumnType::integer, false},   {"size", ColumnType::integer, false},
                           {"held_by", ColumnType::integer, true}, {"kind", ColumnType::text, false},
                           {"name", ColumnType::text, true},       {"note", ColumnType::text, true},
                           {"path", ColumnType::text, false}};

struct Texts {
  std::vector<std::string> kinds;
  std::vector<std::string> names;
  std::vector<std::string> paths;  ///< too many for a dictionary
  std::string long_text = std::string(long_bytes, 'x');
};

Texts make_texts() {
  Texts texts;
  for (std::size_t i = 0; i < kind_count; ++i) texts.kinds.push_back("kind \xC3\xA4 " + std::to_string(i));
  for (std::size_t i = 0; i < row_count; ++i) texts.names.push_back("name " + std::to_string(i));
  for (std::size_t i = 0; i < path_count; ++i)
    texts.paths.push_back(std::string(200, '/') + std::to_string(i));
  return texts;
}

void add_integer(Values& values, std::size_t number) {
  values.integers.push_back(static_cast<std::int64_t>(number));
}

/// Adds the row with this number. parquet.mjs contains the same formulas.
void add_row(std::size_t row, const Texts& texts, Rows& rows) {
  add_integer(rows.columns[0], row);
  add_integer(rows.columns[1], row % 1000 == 0 ? INT64_MAX - row : 16 * (row % 50));
  add_integer(rows.columns[2], row / 2);
  rows.columns[2].is_present.push_back(row != 0);
  rows.columns[3].texts.push_back(texts.kinds[row % kind_count]);
  rows.columns[4].texts.push_back(texts.names[row]);
  rows.columns[4].is_present.push_back(row % 3 != 0);
  rows.columns[5].texts.push_back(row == 200'000 ? std::string_view(texts.long_text) : std::string_view());
  rows.columns[5].is_present.push_back(row % 100'000 == 0);
  rows.columns[6].texts.push_back(texts.paths[row % path_count]);
  ++rows.count;
}

Result<void> write_rows(TableWriter& writer) {
  const Texts texts = make_texts();
  for (std::size_t first = 0; first < row_count; first += most_rows) {
    Rows rows{.count = 0, .columns = std::vector<Values>(std::size(columns))};
    for (std::size_t row = first; row < first + most_rows && row < row_count; ++row)
      add_row(row, texts, rows);
    if (auto done = writer.add(rows); !done) return done;
  }
  return writer.finish();
}

class StandardOutput final : public core::ByteSink {
 public:
  Result<void> write(core::ByteSpan bytes) override {
    if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size()) return {};
    return std::unexpected(Error{ErrorKind::unwritable, "the file cannot be written"});
  }
};

}  // namespace

int main() {
  StandardOutput output;
  const auto writer = parquet::open_parquet({"nodes", columns}, output);
  const Result<void> done = write_rows(*writer);
  if (!done) std::fprintf(stderr, "%s\n", done.error().message.c_str());
  return done && std::fflush(stdout) == 0 ? 0 : 1;
}
