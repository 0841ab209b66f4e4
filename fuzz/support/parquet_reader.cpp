#include "fuzz/support/parquet_reader.hpp"

#include <zstd.h>

#include <algorithm>
#include <span>

namespace heapcheck::fuzz {

namespace {

struct ParquetPage {
  ThriftValue header;
  std::vector<std::uint8_t> content;
};

ParquetPage take_page(ParquetInput& input) {
  ParquetPage page{.header = input.take_thrift(12), .content = {}};
  const core::ByteSpan compressed = input.take(page.header.size_at(3));
  page.content.resize(page.header.size_at(2));
  require(::ZSTD_decompress(page.content.data(), page.content.size(), compressed.data(), compressed.size()) ==
              page.content.size(),
          "a page has the size in its header");
  return page;
}

std::int64_t as_integer(const std::string& bytes) {
  return static_cast<std::int64_t>(core::decode_le<std::uint64_t>(core::as_bytes(bytes).data()));
}

/// Whether `left` comes after `right` in the order of the column's type.
bool is_greater(const std::string& left, const std::string& right, bool is_text) {
  return is_text ? left > right : as_integer(left) > as_integer(right);
}

/// Appends the values of a page, which are encoded plainly or with the dictionary, as its header states.
void read_data(const ParquetPage& page, const std::vector<std::string>& dictionary, ParquetColumn& column) {
  ParquetInput input{page.content};
  const ThriftValue& data = page.header.at(5);
  std::vector<std::size_t> levels(data.size_at(1), 1);
  if (column.is_optional) {
    ParquetInput encoded{input.take(input.take_u32())};
    levels = encoded.take_hybrid(1, levels.size());
    require(encoded.rest.empty(), "the levels end where they should");
  }
  const auto count = static_cast<std::size_t>(std::ranges::count(levels, 1U));
  const bool has_indices = data.size_at(2) == 8;
  require(has_indices || data.size_at(2) == 0, "values are plain, or indices into a dictionary");
  std::vector<std::size_t> indices;
  if (has_indices) indices = input.take_hybrid(input.take(1)[0], count);
  for (std::size_t i = 0; const std::size_t level : levels) {
    if (level == 0) {
      column.values.push_back(std::nullopt);
      continue;
    }
    require(!has_indices || indices[i] < dictionary.size(), "an index is one of the dictionary");
    column.values.push_back(has_indices ? dictionary[indices[i++]] : input.take_plain(column.is_text));
  }
  require(input.rest.empty(), "a page ends after its values");
}

void require_statistics(const ThriftValue& metadata, std::span<const std::optional<std::string>> values,
                        bool is_text) {
  const ThriftValue& statistics = metadata.at(12);
  std::size_t nulls = 0;
  const std::string* smallest = nullptr;
  const std::string* largest = nullptr;
  for (const auto& value : values) {
    nulls += value ? 0 : 1;
    if (!value) continue;
    if (smallest == nullptr || is_greater(*smallest, *value, is_text)) smallest = &*value;
    if (largest == nullptr || is_greater(*value, *largest, is_text)) largest = &*value;
  }
  require(statistics.size_at(3) == nulls, "nulls are counted");
  for (const auto& [field, bound] : {std::pair(6, smallest), std::pair(5, largest)}) {
    const bool has_bound = bound != nullptr && bound->size() <= 256;
    require((statistics.find(field) != nullptr) == has_bound, "bounds are left out only if they are long");
    require(!has_bound || statistics.at(field).text == *bound, "bounds are those of the values");
  }
}

std::vector<ParquetColumn> read_schema(const ThriftValue& footer) {
  std::vector<ParquetColumn> columns;
  const auto& elements = footer.at(2).elements;
  require(elements[0].size_at(5) == elements.size() - 1, "the root has all columns");
  for (const ThriftValue& element : std::span(elements).subspan(1)) {
    const bool is_text = element.size_at(1) == 6;
    require(is_text || element.size_at(1) == 2, "types are BYTE_ARRAY or INT64");
    require((element.find(6) != nullptr && element.find(10) != nullptr) == is_text, "texts are UTF-8");
    columns.push_back(
        {.name = element.at(4).text, .is_text = is_text, .is_optional = element.size_at(3) == 1});
  }
  require(footer.at(7).elements.size() == columns.size(), "each column has an order");
  return columns;
}

/// Appends the values of the pages of a chunk.
void read_chunk(ParquetInput chunk, const ThriftValue& metadata, ParquetColumn& column) {
  const std::size_t first = column.values.size();
  std::vector<std::string> dictionary;
  while (!chunk.rest.empty()) {
    const ParquetPage page = take_page(chunk);
    if (page.header.size_at(1) == 0) {
      read_data(page, dictionary, column);
      continue;
    }
    require(dictionary.empty() && column.values.size() == first, "a dictionary is the first page");
    ParquetInput entries{page.content};
    for (std::size_t left = page.header.at(7).size_at(1); left != 0; --left)
      dictionary.push_back(entries.take_plain(column.is_text));
    require(entries.rest.empty(), "a dictionary ends after its entries");
  }
  require(column.values.size() - first == metadata.size_at(5), "a chunk has as many values as it says");
  require_statistics(metadata, std::span(column.values).subspan(first), column.is_text);
}

}  // namespace

std::vector<ParquetColumn> read_parquet(core::ByteSpan file) {
  constexpr std::size_t tail_bytes = 8;
  require(file.size() > tail_bytes && core::as_text(file).starts_with("PAR1") &&
              core::as_text(file).ends_with("PAR1"),
          "the magic bytes are at both ends");
  const std::size_t size = core::decode_le<std::uint32_t>(file.data() + file.size() - tail_bytes);
  ParquetInput tail{file.subspan(file.size() - tail_bytes - size, size)};
  const ThriftValue footer = tail.take_thrift(12);
  std::vector<ParquetColumn> columns = read_schema(footer);
  std::size_t row_count = 0;
  std::size_t end = 4;
  for (const ThriftValue& group : footer.at(4).elements) {
    row_count += group.size_at(3);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const ThriftValue& metadata = group.at(1).elements.at(i).at(3);
      require((metadata.find(11) != nullptr ? metadata.size_at(11) : metadata.size_at(9)) == end,
              "chunks are next to each other");
      read_chunk({file.subspan(end, metadata.size_at(7))}, metadata, columns[i]);
      require(columns[i].values.size() == row_count, "all columns have all rows");
      end += metadata.size_at(7);
    }
  }
  require(footer.size_at(3) == row_count && end == file.size() - tail_bytes - size,
          "the footer counts all rows");
  return columns;
}

}  // namespace heapcheck::fuzz
