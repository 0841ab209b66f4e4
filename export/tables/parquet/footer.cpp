#include "export/tables/parquet/footer.hpp"

#include "formats/core/codec.hpp"

namespace heapcheck::exports::tables::parquet {

namespace {

// Numbers from Parquet's enumerations.
constexpr std::int32_t file_version = 1;
constexpr std::int32_t type_int64 = 2;
constexpr std::int32_t type_byte_array = 6;
constexpr std::int32_t repetition_required = 0;
constexpr std::int32_t repetition_optional = 1;
constexpr std::int32_t converted_utf8 = 0;
constexpr std::int32_t codec_zstd = 6;

std::int32_t find_type(const Column& column) {
  return column.type == ColumnType::integer ? type_int64 : type_byte_array;
}

std::int64_t as_i64(std::uint64_t number) { return static_cast<std::int64_t>(number); }

void append_column(const Column& column, ThriftWriter element) {
  element.add_i32(1, find_type(column));
  element.add_i32(3, column.is_optional ? repetition_optional : repetition_required);
  element.add_binary(4, column.name);
  if (column.type == ColumnType::text) {
    element.add_i32(6, converted_utf8);
    ThriftWriter logical_type = element.add_structure(10);
    logical_type.add_structure(1).end();  // STRING
    logical_type.end();
  }
  element.end();
}

void append_encodings(const Chunk& chunk, ThriftWriter& metadata) {
  std::vector<Encoding> encodings{Encoding::rle};  // the encoding of the levels
  const bool has_dictionary = chunk.dictionary_byte_count != 0;
  if (chunk.has_plain_pages || has_dictionary) encodings.push_back(Encoding::plain);
  if (has_dictionary) encodings.push_back(Encoding::rle_dictionary);
  metadata.add_list(2, ThriftType::i32, encodings.size());
  for (const Encoding encoding : encodings) metadata.append_i32(static_cast<std::int32_t>(encoding));
}

void append_statistics(const Chunk& chunk, ThriftWriter statistics) {
  statistics.add_i64(3, as_i64(chunk.null_count));
  if (chunk.bounds.largest) statistics.add_binary(5, *chunk.bounds.largest);
  if (chunk.bounds.smallest) statistics.add_binary(6, *chunk.bounds.smallest);
  if (chunk.bounds.largest) statistics.add_bool(7, true);  // the bounds are exact
  if (chunk.bounds.smallest) statistics.add_bool(8, true);
  statistics.end();
}

void append_metadata(const Column& column, const Chunk& chunk, std::uint64_t offset, ThriftWriter metadata) {
  metadata.add_i32(1, find_type(column));
  append_encodings(chunk, metadata);
  metadata.add_list(3, ThriftType::binary, 1);
  metadata.append_binary(column.name);
  metadata.add_i32(4, codec_zstd);
  metadata.add_i64(5, as_i64(chunk.row_count));
  metadata.add_i64(6, as_i64(chunk.content_byte_count));
  metadata.add_i64(7, as_i64(chunk.pages.size()));
  metadata.add_i64(9, as_i64(offset + chunk.dictionary_byte_count));
  if (chunk.dictionary_byte_count != 0) metadata.add_i64(11, as_i64(offset));
  append_statistics(chunk, metadata.add_structure(12));
  metadata.end();
}

}  // namespace

void Footer::add_group(std::uint64_t row_count, std::uint64_t offset, std::span<const Chunk> chunks) {
  std::uint64_t content_byte_count = 0;
  std::uint64_t place = offset;
  ThriftWriter group(groups_);
  group.add_list(1, ThriftType::structure, chunks.size());
  // Chunks are written one after another, each starting with its dictionary, so offsets add up. The field
  // numbers are from parquet.thrift. spec: parquet.md
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    ThriftWriter column = group.append_structure();
    column.add_i64(2, as_i64(place));
    append_metadata(table_.columns[i], chunks[i], place, column.add_structure(3));
    column.end();
    place += chunks[i].pages.size();
    content_byte_count += chunks[i].content_byte_count;
  }
  group.add_i64(2, as_i64(content_byte_count));
  group.add_i64(3, as_i64(row_count));
  group.add_i64(5, as_i64(offset));
  group.add_i64(6, as_i64(place - offset));
  group.end();
  ++group_count_;
  row_count_ += row_count;
}

void Footer::add_schema(ThriftWriter& file) const {
  file.add_list(2, ThriftType::structure, table_.columns.size() + 1);
  ThriftWriter root = file.append_structure();
  root.add_binary(4, table_.name);
  root.add_i32(5, static_cast<std::int32_t>(table_.columns.size()));
  root.end();
  for (const Column& column : table_.columns) append_column(column, file.append_structure());
}

Bytes Footer::encode() const {
  Bytes bytes;
  ThriftWriter file(bytes);
  file.add_i32(1, file_version);
  add_schema(file);
  file.add_i64(3, as_i64(row_count_));
  file.add_list(4, ThriftType::structure, group_count_);
  append(groups_, bytes);
  file.add_binary(6, "heapcheck");
  file.add_list(7, ThriftType::structure, table_.columns.size());
  for (std::size_t i = 0; i < table_.columns.size(); ++i) {
    ThriftWriter order = file.append_structure();
    order.add_structure(1).end();  // the order of the type
    order.end();
  }
  file.end();
  core::encode_le(static_cast<std::uint32_t>(bytes.size()), bytes);
  append(core::as_bytes(magic), bytes);
  return bytes;
}

}  // namespace heapcheck::exports::tables::parquet
