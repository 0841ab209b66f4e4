// Collects the output of an exporter into pieces of a few hundred KiB for a sink, which it borrows.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "formats/core/output/output_file.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::exports {

/// Text or bytes on the way to a sink. Writers append to `pending`, for example with a core::JsonWriter, and
/// call flush_if_full() from time to time. After an error, all further output is dropped.
class Buffer {
 public:
  explicit Buffer(core::ByteSink& sink) : sink_(&sink) {}

  std::string pending;  ///< the output that has not been written yet

  /// Writes `pending` if it has grown large. Returns whether everything has been written so far.
  bool flush_if_full() {
    constexpr std::size_t full = 256 << 10;
    if (pending.size() >= full) write();
    return done_.has_value();
  }
  /// Whether everything has been written so far. Errors: any error of the sink.
  [[nodiscard]] const Result<void>& done() const { return done_; }
  /// Writes the rest. Call this once. Errors: any error of the sink.
  Result<void> finish() {
    write();
    return done_;
  }

 private:
  void write() {
    if (done_) done_ = sink_->write(core::as_bytes(pending));
    pending.clear();
  }

  core::ByteSink* sink_;
  Result<void> done_ = {};
};

}  // namespace heapcheck::exports
