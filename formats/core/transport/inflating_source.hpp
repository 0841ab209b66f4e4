// The base class of the sources that decompress with zlib: gzip streams and members of zip archives.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "formats/core/transport/decoding_source.hpp"

namespace heapcheck::core {

class InflatingSource : public DecodingSource {
 public:
  InflatingSource(const InflatingSource&) = delete;
  InflatingSource& operator=(const InflatingSource&) = delete;
  ~InflatingSource() override {
    if (ready_) ::inflateEnd(&stream_);
  }

 protected:
  /// `window_bits` is the parameter of zlib's inflateInit2(); `container`, such as "gzip stream", is used in
  /// messages.
  InflatingSource(std::unique_ptr<ByteSource> source, const Limits& limits, int window_bits,
                  std::string container)
      : DecodingSource(std::move(source), limits),
        container_(std::move(container)),
        ready_(::inflateInit2(&stream_, window_bits) == Z_OK) {}

  [[nodiscard]] bool is_ready() const { return ready_; }
  [[nodiscard]] std::string no_memory() const { return "not enough memory to decompress the " + container_; }

  [[nodiscard]] std::unexpected<Error> damaged(const char* how) const {
    return std::unexpected(Error{ErrorKind::damaged, describe(how)});
  }

  /// Decompresses until there are bytes or the stream ends. Returns the number of bytes, which is 0 only at
  /// the end.
  Result<std::size_t> inflate(MutableByteSpan buffer) {
    stream_.next_out = buffer.data();
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(buffer.size(), UINT32_MAX));
    const uInt room = stream_.avail_out;
    while (stream_.avail_out == room && !stream_ended_) {
      const auto input = pending();
      if (!input) return std::unexpected(input.error());
      if (input->empty()) return damaged("truncated");
      stream_.next_in = const_cast<Bytef*>(input->data());
      stream_.avail_in = static_cast<uInt>(input->size());
      const int status = ::inflate(&stream_, Z_NO_FLUSH);
      consume(input->size() - stream_.avail_in);
      if (status == Z_MEM_ERROR) return fail(room - stream_.avail_out, ErrorKind::limit, no_memory());
      // Z_BUF_ERROR only means that, for now, there are no more bytes or there is no more room.
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
        note_corruption();
        return fail(room - stream_.avail_out, ErrorKind::damaged, describe("damaged") + explain_damage());
      }
      stream_ended_ = status == Z_STREAM_END;
    }
    return room - stream_.avail_out;
  }

  [[nodiscard]] bool stream_ended() const { return stream_ended_; }
  void start_next_stream() {
    ::inflateReset(&stream_);
    stream_ended_ = false;
  }

 private:
  /// The problem that zlib found, such as "incorrect data check".
  [[nodiscard]] std::string explain_damage() const {
    return stream_.msg == nullptr ? std::string() : " (" + std::string(stream_.msg) + ")";
  }
  [[nodiscard]] std::string describe(const char* how) const {
    return "the " + container_ + " that contains the file is " + how;
  }

  z_stream stream_{};
  std::string container_;
  bool ready_;
  bool stream_ended_ = false;
};

}  // namespace heapcheck::core
