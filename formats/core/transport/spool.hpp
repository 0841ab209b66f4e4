// An input that can be read more than once: a file as it is, anything else (a pipe, standard input) as an
// unnamed temporary copy, which the system removes when the process ends. The source owns the file.
#pragma once

#include <memory>
#include <string>

#include "formats/core/source.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::core {

/// Opens `path` so that it can be read at any offset; `-` is standard input. Errors: unreadable, as for
/// open_file() or because there is no room for the copy; limit.
Result<std::unique_ptr<SeekableSource>> open_rereadable(const std::string& path, const Limits& limits);

}  // namespace heapcheck::core
