// Reads the file in a zip archive from front to back, so that an archive may come from a pipe. Libraries for
// zip archives need the directory at the end first.
#pragma once

#include <memory>

#include "formats/core/source.hpp"

namespace heapcheck::core {

/// The content of the only file in the archive; folders and the files that macOS adds are skipped. The file
/// is stored or deflated. Errors: damaged, and unsupported for encrypted files, other methods and several
/// files.
std::unique_ptr<ByteSource> make_zip_source(std::unique_ptr<ByteSource> source, const Limits& limits);

}  // namespace heapcheck::core
