// The encodings around a whole input. For each encoding, there is a function that recognises the beginning of
// an encoded file, and a source of decoded bytes, which owns the source of encoded bytes.
#pragma once

#include <memory>

#include "formats/core/source.hpp"

namespace heapcheck::core {

/// Whether a file begins like a gzip stream, a zstd stream, a zip archive or an HTML page.
[[nodiscard]] bool is_gzip(ByteSpan first_bytes);
[[nodiscard]] bool is_zstd(ByteSpan first_bytes);
[[nodiscard]] bool is_zip(ByteSpan first_bytes);
[[nodiscard]] bool is_html(ByteSpan first_bytes);

/// The content of all gzip streams or zstd frames, one after another. Errors: damaged; limit.
std::unique_ptr<ByteSource> make_gzip_source(std::unique_ptr<ByteSource> source, const Limits& limits);
std::unique_ptr<ByteSource> make_zstd_source(std::unique_ptr<ByteSource> source, const Limits& limits);

/// The content of the only file in the archive for which `is_dump` returns true; folders and the files that
/// macOS adds are skipped. If there is no such file but exactly one other file, the source ends after the
/// first 4096 bytes of that file. The file may be stored or deflated. Errors: damaged; unknown_format if none
/// of several files can be a heap dump; unsupported for encrypted files, other compression methods and
/// several heap dumps.
std::unique_ptr<ByteSource> make_zip_source(std::unique_ptr<ByteSource> source, const Limits& limits,
                                            const IsDump& is_dump);

/// The trace in a page written by Catapult's `trace2html`: a base64-encoded gzip stream in a script element
/// with the id `viewer-data`. The source returns the gzip stream. Errors: damaged; unknown_format if the page
/// does not contain a trace; unsupported if it contains several.
std::unique_ptr<ByteSource> make_html_source(std::unique_ptr<ByteSource> source, const Limits& limits);

}  // namespace heapcheck::core
