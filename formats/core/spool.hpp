// An input that can be read more than once: a file as it is, anything else (a pipe, standard input)
// as a temporary copy without a name, which the system removes with the process. Owns the file.
#pragma once

#include <memory>
#include <string>

#include "formats/core/source.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::core {

/// Opens `path` for reading at any place; `-` is standard input. Errors: unreadable, as open_file(),
/// and where there is no room for the copy.
Result<std::unique_ptr<SeekableSource>> open_rereadable(const std::string& path, const Limits& limits);

}  // namespace heapcheck::core
