#include "export/gzip_sink.hpp"

#include <array>
#include <new>

namespace heapcheck::exports {

GzipSink::GzipSink(core::ByteSink& sink) : stream_(new z_stream{}), sink_(&sink) {
  constexpr int gzip_window = 15 + 16;  // the largest window, with the header of gzip
  constexpr int usual_memory = 8;
  if (::deflateInit2(stream_.get(), Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, usual_memory,
                     Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
}

Result<void> GzipSink::write(core::ByteSpan bytes) { return deflate(bytes, Z_NO_FLUSH); }

Result<void> GzipSink::finish() { return deflate({}, Z_FINISH); }

Result<void> GzipSink::deflate(core::ByteSpan bytes, int flush) {
  std::array<std::uint8_t, 64 << 10> out;
  stream_->next_in = const_cast<Bytef*>(bytes.data());  // zlib does not change it
  stream_->avail_in = static_cast<uInt>(bytes.size());
  do {
    stream_->next_out = out.data();
    stream_->avail_out = static_cast<uInt>(out.size());
    ::deflate(stream_.get(), flush);
    const core::ByteSpan made(out.data(), out.size() - stream_->avail_out);
    if (auto done = sink_->write(made); !made.empty() && !done) return done;
  } while (stream_->avail_out == 0);
  return {};
}

}  // namespace heapcheck::exports
