// The text of a damaged snapshot without the syntax errors in its arrays of numbers and in its strings, so
// that reading can continue after them. Text without errors is not changed. Borrows the source.
#pragma once

#include <cstdint>
#include <string>

#include "formats/core/source.hpp"
#include "formats/core/window.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {

/// Shortens each run of control characters other than white space to its first 8 characters. A piece of a
/// file that was lost by a disk appears as a long run of control characters, and can then be treated like a
/// missing piece.
class ControlRunFilter final : public core::ByteSource {
 public:
  explicit ControlRunFilter(core::ByteSource& source) : source_(&source) {}
  Result<std::size_t> read(core::MutableByteSpan buffer) override;

 private:
  [[nodiscard]] bool drops(unsigned char c);

  core::ByteSource* source_;
  std::size_t run_ = 0;  // the number of control characters before the next byte
};

/// An element that is not a number becomes `null`, so that later elements keep their places. In strings,
/// bytes that must be escaped are escaped, and bytes that are not UTF-8 become U+FFFD. Lost quotes and commas
/// between strings are added. Long runs of control characters are shortened. Stops changing the text after
/// too many errors, or at an element that is too long to be kept in memory.
class RepairedSource final : public core::ByteSource {
 public:
  explicit RepairedSource(core::ByteSource& source) : without_runs_(source), window_(without_runs_) {}
  Result<std::size_t> read(core::MutableByteSpan buffer) override;

 private:
  enum class Part : std::uint8_t { other, numbers, strings, rest };

  void repair_some();
  void copy_other(std::string_view text);
  void begin_array();
  void repair_number(std::string_view text);
  void repair_string(std::string_view text);
  void take(std::size_t byte_count) { window_.consume(byte_count); }
  void copy(std::string_view text);

  ControlRunFilter without_runs_;
  core::Window window_;
  std::string repaired_;  // repaired text that has not been read yet
  std::size_t read_ = 0;  // the number of bytes of `repaired_` that were read
  std::string before_;    // the last bytes before an array
  Part part_ = Part::other;
  bool is_first_ = false;  // whether no number of the array has been read
  std::uint64_t errors_ = 0;
};

}  // namespace heapcheck::recovery::v8::heapsnapshot
