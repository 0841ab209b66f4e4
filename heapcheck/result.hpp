// The outcome of an operation, apart from what is wrong with a file's content: an error, which is a value and
// never an exception, or a loss. What is wrong inside a file is a Finding (finding.hpp).
#pragma once

#include <cstdint>
#include <expected>
#include <string>

namespace heapcheck {

/// The kind of error, for programs.
enum class ErrorKind : std::uint8_t {
  unreadable,      ///< missing, a folder, no permission, an I/O error; empty, or of an unknown version
  unknown_format,  ///< nothing looks like a heap dump
  unsupported,     ///< the request cannot be met with this input, or asks for something that is not in it
  damaged,         ///< the compression around the whole input is damaged or truncated
  limit,           ///< one of the Limits was reached
  unwritable,      ///< an output could not be written
};

/// What went wrong: one sentence without its full stop and without the path.
struct Error {
  ErrorKind kind = ErrorKind::unreadable;  ///< for programs
  std::string message;                     ///< for people; may change in any version
};

/// A value, or why there is none.
template <class T>
using Result = std::expected<T, Error>;

/// Something that a conversion or a recovery could not keep, or had to make up.
struct Loss {
  std::string what;         ///< what was lost, in the plural
  std::uint64_t count = 0;  ///< how many of these
  std::string reason;       ///< in a few words
};

/// How many there are of something.
struct Amount {
  std::string what;         ///< what is counted, in the plural
  std::uint64_t count = 0;  ///< how many of these
};

}  // namespace heapcheck
