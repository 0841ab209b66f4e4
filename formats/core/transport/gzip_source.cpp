#include <string_view>

#include "formats/core/transport/decoders.hpp"
#include "formats/core/transport/inflating_source.hpp"

namespace heapcheck::core {
namespace {

constexpr std::string_view gzip_magic = "\x1F\x8B\x08";  // includes the only compression method, deflate

class GzipSource final : public InflatingSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> source, const Limits& limits)
      : InflatingSource(std::move(source), limits, MAX_WBITS + gzip_framing, "gzip stream") {}

 protected:
  Result<std::size_t> decode(MutableByteSpan buffer) override {
    if (!is_ready()) return std::unexpected(Error{ErrorKind::limit, no_memory()});
    for (;;) {
      if (stream_ended()) {
        const auto input = pending(gzip_magic.size());
        if (!input) return std::unexpected(input.error());
        if (!is_gzip(*input)) return take_trailing_bytes("gzip stream");
        start_next_stream();
      }
      const auto made = inflate(buffer);
      if (!made || *made != 0) return made;
    }
  }

 private:
  static constexpr int gzip_framing = 16;  // added to the window bits
};

}  // namespace

bool is_gzip(ByteSpan first_bytes) { return as_text(first_bytes).starts_with(gzip_magic); }

std::unique_ptr<ByteSource> make_gzip_source(std::unique_ptr<ByteSource> source, const Limits& limits) {
  return std::make_unique<GzipSource>(std::move(source), limits);
}

}  // namespace heapcheck::core
