// How the library says that something outside a file's content went wrong: a value, never an
// exception. What is wrong inside a file is a Finding (finding.hpp).
#pragma once

#include <expected>
#include <string>

namespace heapcheck::core {

enum class ErrorKind {
  unreadable,  ///< missing, a folder, no permission, an I/O error
  damaged,     ///< the compression around the whole input is broken or cut
  limit,       ///< a cap of Limits was reached
  unwritable,  ///< an output could not be written
};

/// One sentence without a final stop, without the path.
struct Error {
  ErrorKind kind = ErrorKind::unreadable;
  std::string message;
};

template <class T>
using Result = std::expected<T, Error>;

}  // namespace heapcheck::core
