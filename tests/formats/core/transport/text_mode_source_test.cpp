#include "formats/core/transport/text_mode_source.hpp"

#include <memory>
#include <string>

#include "tests/support/catch.hpp"

using namespace heapcheck;

namespace {

struct Undone {
  std::string bytes;
  std::uint64_t added = 0;
  std::uint64_t line_feeds = 0;
};

/// Reads a file whose source returns up to `chunk` bytes at a time, in pieces of up to `piece_bytes`.
Undone undo_text_mode(std::string_view file, std::size_t chunk, std::size_t piece_bytes) {
  core::MemorySource source(core::as_bytes(file), chunk);
  core::TextModeSource text_mode(std::make_unique<core::Window>(source));
  Undone content;
  std::vector<std::uint8_t> piece(piece_bytes);
  for (;;) {
    const auto got = text_mode.read(piece);
    REQUIRE(got);
    if (*got == 0) break;
    content.bytes.append(piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(*got));
  }
  content.added = text_mode.added_bytes()->count();
  content.line_feeds = text_mode.line_feeds();
  return content;
}

class SourceWithError final : public core::ByteSource {
 public:
  Result<std::size_t> read(core::MutableByteSpan buffer) override {
    if (has_read_) return std::unexpected(Error{ErrorKind::unreadable, "broken"});
    has_read_ = true;
    buffer[0] = 'a';
    return 1;
  }

 private:
  bool has_read_ = false;
};

}  // namespace

TEST_CASE("text mode is undone, however the bytes arrive", "[core]") {
  const std::string file = "a\r\nb\r\r\n\r\n\rc\r";
  for (std::size_t chunk = 1; chunk <= file.size(); ++chunk) {
    for (std::size_t piece = 1; piece <= file.size(); ++piece) {
      const Undone content = undo_text_mode(file, chunk, piece);
      REQUIRE(content.bytes == "a\nb\r\n\n\rc\r");
      REQUIRE(content.added == 3);
      REQUIRE(content.line_feeds == 3);
    }
  }
}

TEST_CASE("a line feed without a carriage return stays as it is", "[core]") {
  const Undone content = undo_text_mode("\na\n\r\n", 100, 100);
  CHECK(content.bytes == "\na\n\n");
  CHECK(content.added == 1);
  CHECK(content.line_feeds == 3);
}

TEST_CASE("the error of a file that was written in text mode comes after its bytes", "[core]") {
  SourceWithError source;
  core::TextModeSource text_mode(std::make_unique<core::Window>(source));
  std::vector<std::uint8_t> piece(10);
  const auto got = text_mode.read(piece);
  REQUIRE(got);
  CHECK(*got == 1);
  const auto end = text_mode.read(piece);
  REQUIRE(!end);
  CHECK(end.error().message == "broken");
}
