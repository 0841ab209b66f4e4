// The possible outcomes of an operation: an error, which is a value and never an exception, or a loss. A
// problem in the content of a file is reported as a Finding (finding.hpp) instead.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

namespace heapcheck {

/// The kind of error, for programs.
enum class ErrorKind : std::uint8_t {
  unreadable,      ///< the input is missing, empty, a folder, in an unknown version, or unreadable
  unknown_format,  ///< the input does not look like a heap dump of any kind
  unsupported,     ///< the input does not support the request, or lacks the requested item
  damaged,         ///< the compression around the whole input is damaged or truncated
  limit,           ///< one of the Limits was reached, but not the deadline
  timeout,         ///< Limits::deadline has passed
  unwritable,      ///< an output could not be written
};

/// Whether an error of this kind leaves it unknown what the input is.
constexpr bool is_limit(ErrorKind kind) { return kind == ErrorKind::limit || kind == ErrorKind::timeout; }

/// An error. Its message is one sentence, without a full stop or the path.
struct Error {
  ErrorKind kind = ErrorKind::unreadable;  ///< for programs
  std::string message;                     ///< for humans; may change in any version
};

/// A value, or the error that prevented it.
template <class T>
using Result = std::expected<T, Error>;

/// Something that a conversion or a recovery could not keep, or had to make up.
struct Loss {
  std::string what;         ///< the kind of item that was lost, in the plural
  std::uint64_t count = 0;  ///< their number
  std::string reason;       ///< in a few words
};

/// A number of items of one kind.
struct Amount {
  std::string what;         ///< the kind of item, in the plural
  std::uint64_t count = 0;  ///< their number
  bool is_least = false;    ///< whether there may be more, because not all of them are known
};

}  // namespace heapcheck
