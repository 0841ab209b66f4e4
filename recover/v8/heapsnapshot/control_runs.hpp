// The text of a damaged snapshot without long runs of control characters, which a disk writes where it lost
// a piece. Borrows the source.
#pragma once

#include "formats/core/source.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {

/// Shortens each run of control characters other than white space to its first 8, so that the piece can be
/// treated like one that is missing.
class ControlRunFilter final : public core::ByteSource {
 public:
  explicit ControlRunFilter(core::ByteSource& source) : source_(&source) {}
  Result<std::size_t> read(core::MutableByteSpan buffer) override;

 private:
  [[nodiscard]] bool drops(unsigned char c);

  core::ByteSource* source_;
  std::size_t run_ = 0;  // the number of control characters before the next byte
};

}  // namespace heapcheck::recovery::v8::heapsnapshot
