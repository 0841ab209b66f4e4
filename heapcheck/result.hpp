// What comes of an operation that is not about a file's content: an error, as a value and never an
// exception, or a loss. What is wrong inside a file is a Finding (finding.hpp).
#pragma once

#include <cstdint>
#include <expected>
#include <string>

namespace heapcheck {

/// What kind of error it is, for programs.
enum class ErrorKind : std::uint8_t {
  unreadable,  ///< missing, a folder, no permission, an I/O error; empty, or of a version that is not known
  unknown_format,  ///< nothing tells of a heap dump
  unsupported,     ///< what was asked for cannot be done with this input, or is not in it
  damaged,         ///< the compression around the whole input is broken or cut
  limit,           ///< a cap of Limits was reached
  unwritable,      ///< an output could not be written
};

/// One sentence without a final stop, without the path.
struct Error {
  ErrorKind kind = ErrorKind::unreadable;  ///< for programs
  std::string message;                     ///< for people; may change with any version
};

/// A value, or why there is none.
template <class T>
using Result = std::expected<T, Error>;

/// What a conversion or a recovery could not keep, or had to make up.
struct Loss {
  std::string what;         ///< a kind of thing, in the plural
  std::uint64_t count = 0;  ///< of these
  std::string reason;       ///< a few words
};

/// How many of one kind.
struct Amount {
  std::string what;         ///< in the plural
  std::uint64_t count = 0;  ///< of these
};

}  // namespace heapcheck
