#include "export/tables/parquet/pages.hpp"

#include <zstd.h>

#include <new>

namespace heapcheck::exports::tables::parquet {

namespace {

constexpr std::int32_t data_page = 0;
constexpr std::int32_t dictionary_page = 2;

std::int32_t as_i32(std::size_t number) { return static_cast<std::int32_t>(number); }

ThriftWriter begin_header(std::int32_t type, core::ByteSpan content, core::ByteSpan compressed, Bytes& out) {
  ThriftWriter header(out);
  header.add_i32(1, type);
  header.add_i32(2, as_i32(content.size()));
  header.add_i32(3, as_i32(compressed.size()));
  return header;
}

void append_page(core::ByteSpan header, core::ByteSpan content, core::ByteSpan compressed, Chunk& chunk) {
  append(header, chunk.pages);
  append(compressed, chunk.pages);
  chunk.content_byte_count += header.size() + content.size();
}

}  // namespace

void Compressor::End::operator()(ZSTD_CCtx_s* context) const { ::ZSTD_freeCCtx(context); }

Compressor::Compressor() : context_(::ZSTD_createCCtx()) {
  if (context_ == nullptr) throw std::bad_alloc();
}

core::ByteSpan Compressor::compress(core::ByteSpan content, Level level) {
  const std::size_t most = ::ZSTD_compressBound(content.size());
  if (compressed_.size() < most) compressed_.resize(most);
  const std::size_t size = ::ZSTD_compressCCtx(context_.get(), compressed_.data(), compressed_.size(),
                                               content.data(), content.size(), static_cast<int>(level));
  if (::ZSTD_isError(size) != 0) throw std::bad_alloc();  // the only possible reason
  return core::ByteSpan(compressed_).first(size);
}

void Compressor::append_dictionary(std::size_t entry_count, core::ByteSpan content, Level level,
                                   Chunk& chunk) {
  const core::ByteSpan compressed = compress(content, level);
  Bytes bytes;
  ThriftWriter header = begin_header(dictionary_page, content, compressed, bytes);
  ThriftWriter dictionary = header.add_structure(7);
  dictionary.add_i32(1, as_i32(entry_count));
  dictionary.add_i32(2, static_cast<std::int32_t>(Encoding::plain));
  dictionary.end();
  header.end();
  append_page(bytes, content, compressed, chunk);
  chunk.dictionary_byte_count = chunk.pages.size();
}

void Compressor::append_data(std::size_t row_count, Encoding encoding, core::ByteSpan content, Level level,
                             Chunk& chunk) {
  const core::ByteSpan compressed = compress(content, level);
  Bytes bytes;
  ThriftWriter header = begin_header(data_page, content, compressed, bytes);
  ThriftWriter data = header.add_structure(5);
  data.add_i32(1, as_i32(row_count));
  data.add_i32(2, static_cast<std::int32_t>(encoding));
  data.add_i32(3, static_cast<std::int32_t>(Encoding::rle));  // of definition levels
  data.add_i32(4, static_cast<std::int32_t>(Encoding::rle));  // of repetition levels
  data.end();
  header.end();
  append_page(bytes, content, compressed, chunk);
  chunk.has_plain_pages |= encoding == Encoding::plain;
  chunk.row_count += row_count;
}

}  // namespace heapcheck::exports::tables::parquet
