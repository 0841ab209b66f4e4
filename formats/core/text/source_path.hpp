// Paths and URLs of source files, as dumps name them. Borrows the text.
#pragma once

#include <cstddef>
#include <string_view>

namespace heapcheck::core {

/// Whether it is a URL, or a path that begins at a root or a drive. Other names, such as
/// `node:internal/timers`, are those that a runtime gives to its own files.
[[nodiscard]] bool is_absolute(std::string_view file);

/// The last `count` parts of a path or URL, or the whole text if it has no more.
[[nodiscard]] std::string_view last_parts(std::string_view file, std::size_t count);

}  // namespace heapcheck::core
