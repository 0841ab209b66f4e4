// Reads the file in a zip archive from front to back, so that an archive may come from a pipe. Libraries for
// zip archives need the directory at the end first.
#pragma once

#include <memory>

#include "formats/core/source.hpp"

namespace heapcheck::core {

/// The content of the only file in the archive for which `is_dump` returns true; folders and the files that
/// macOS adds are skipped. If there is no such file, but only one other file, the source ends after the first
/// 4096 bytes of that. The file is stored or deflated. Errors: damaged; unknown_format, if none of several
/// files may be a heap dump; and unsupported for encrypted files, other methods and several heap dumps.
std::unique_ptr<ByteSource> make_zip_source(std::unique_ptr<ByteSource> source, const Limits& limits,
                                            const IsDump& is_dump);

}  // namespace heapcheck::core
