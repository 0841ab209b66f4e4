// Compresses what is written with gzip on its way to another sink, which it borrows. The same bytes always
// give the same result: the header has no name and no time.
#pragma once

#include <zlib.h>

#include <memory>

#include "formats/core/output/output_file.hpp"

namespace heapcheck::exports {

class GzipSink final : public core::ByteSink {
 public:
  explicit GzipSink(core::ByteSink& sink);

  Result<void> write(core::ByteSpan bytes) override;
  /// Writes the rest. Call this once. Errors: those of the sink.
  Result<void> finish();

 private:
  Result<void> deflate(core::ByteSpan bytes, int flush);

  struct End {
    void operator()(z_stream* stream) const {
      ::deflateEnd(stream);
      delete stream;
    }
  };
  std::unique_ptr<z_stream, End> stream_;
  core::ByteSink* sink_;
};

}  // namespace heapcheck::exports
