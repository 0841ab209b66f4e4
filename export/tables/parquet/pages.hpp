// The pages of one column in one row group, each of which is compressed with zstd and comes after its header.
// The chunk owns its bytes. spec: parquet.md#pages
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "export/tables/parquet/encoding.hpp"

struct ZSTD_CCtx_s;

namespace heapcheck::exports::tables::parquet {

/// The smallest and the largest value in the form that statistics use.
struct Bounds {
  std::optional<std::string> smallest;
  std::optional<std::string> largest;
};

/// The part of a column for the rows of one row group.
struct Chunk {
  Bytes pages;  ///< the pages as in the file, starting with the dictionary if there is one
  /// The size of the dictionary page and its header; 0 if there is no dictionary.
  std::size_t dictionary_byte_count = 0;
  bool has_plain_pages = false;
  std::uint64_t content_byte_count = 0;  ///< the size of headers and uncompressed pages
  std::uint64_t row_count = 0;
  std::uint64_t null_count = 0;
  Bounds bounds;
};

/// Compresses pages, one after another.
class Compressor {
 public:
  /// The zstd level that suits the content of a page. Plain integers become smaller at level 1 than at level
  /// 3, and packed indices do not become larger.
  enum class Level : std::uint8_t { integers = 1, texts = 3 };

  Compressor();

  /// Appends a page with the entries of a dictionary. Call this before any other page is appended.
  void append_dictionary(std::size_t entry_count, core::ByteSpan content, Level level, Chunk& chunk);
  /// Appends a page with the values of `row_count` rows. Its content must be smaller than 2^31 bytes, both
  /// uncompressed and compressed.
  void append_data(std::size_t row_count, Encoding encoding, core::ByteSpan content, Level level,
                   Chunk& chunk);

 private:
  core::ByteSpan compress(core::ByteSpan content, Level level);

  struct End {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_CCtx_s, End> context_;
  Bytes compressed_;
};

}  // namespace heapcheck::exports::tables::parquet
