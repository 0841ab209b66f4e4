#include <zstd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "formats/core/faults.hpp"
#include "formats/core/source.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/check.hpp"
#include "tests/support/files.hpp"

using namespace heapcheck;

namespace {

struct Content {
  std::string text;
  std::optional<ErrorKind> error;
  Compression compression = Compression::none;
};

/// The content of `bytes`, which are read in pieces.
Content read_content(const std::string& bytes, std::size_t chunk = 7) {
  auto source = std::make_unique<core::MemorySource>(core::as_bytes(bytes), chunk);
  auto input = core::unwrap(std::move(source), Limits{});
  if (!input) return {.text = {}, .error = input.error().kind};
  Content content{.text = {}, .error = {}, .compression = input->compression};
  std::vector<std::uint8_t> buffer(16);
  for (;;) {
    const auto got = input->source->read(buffer);
    if (!got) content.error = got.error().kind;
    if (!got || *got == 0) return content;
    content.text.append(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(*got));
  }
}

/// A stored file `a` with the content "hello", without the directory of the archive.
const std::string file{
    "PK\3\4\x0a\0\0\0\0\0\0\0\0\0\x86\xa6\x10\x36\5\0\0\0\5\0\0\0\1\0\0\0"
    "ahello",
    36};
const std::string folder{"PK\3\4\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\2\0\0\0d/", 32};
const std::string directory{"PK\1\2"};

const std::string page_start = "<!DOCTYPE html>\n<html><body>\n";
const std::string trace = "<script id=\"viewer-data\" type=\"text/plain\">\naGVs\nbG8=\n</script>\n";

const std::string gzip_base64 = "H4sIAAAAAAACA8tIzcnJBwCGphA2BQAAAA==";  // "hello"

/// A zstd frame with a checksum at its end.
std::string compress(const std::string& text) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&::ZSTD_freeCCtx)> context(::ZSTD_createCCtx(), ::ZSTD_freeCCtx);
  ::ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string frame(::ZSTD_compressBound(text.size()), '\0');
  frame.resize(::ZSTD_compress2(context.get(), frame.data(), frame.size(), text.data(), text.size()));
  return frame;
}

}  // namespace

TEST_CASE("the only file of a zip archive is the input", "[core][transport]") {
  for (const std::string& bytes : {file + directory, folder + file + directory, file + folder + directory}) {
    const Content content = read_content(bytes);
    CHECK(content.text == "hello");
    CHECK_FALSE(content.error.has_value());
    CHECK(content.compression == Compression::zip);
  }
}

TEST_CASE("a damaged or truncated zip archive is damaged", "[core][transport]") {
  std::string changed = file + directory;
  changed[32] = 'H';
  CHECK(read_content(changed).error == ErrorKind::damaged);
  for (std::size_t length = 5; length < file.size() + directory.size(); ++length) {
    CAPTURE(length);
    CHECK(read_content((file + directory).substr(0, length)).error == ErrorKind::damaged);
  }
}

TEST_CASE("a zip archive with two files is not supported", "[core][transport]") {
  CHECK(read_content(file + file + directory).error == ErrorKind::unsupported);
}

TEST_CASE("the trace in an HTML page is the input", "[core][transport]") {
  const Content content = read_content(page_start + trace + "</body></html>\n");
  CHECK(content.text == "hello");
  CHECK_FALSE(content.error.has_value());
  CHECK(content.compression == Compression::html);
}

TEST_CASE("the content before the end of a truncated HTML page is kept", "[core][transport]") {
  const Content content = read_content(page_start + "<script id=\"viewer-data\">\n" + gzip_base64);
  CHECK(content.text == "hello");
  CHECK(content.error == ErrorKind::damaged);
}

TEST_CASE("an HTML page has one whole trace in base64", "[core][transport]") {
  CHECK(read_content(page_start).error == ErrorKind::unknown_format);
  CHECK(read_content(page_start + trace + trace).error == ErrorKind::unsupported);
  CHECK(read_content(page_start + trace.substr(0, 50)).error == ErrorKind::damaged);
  std::string changed = trace;
  changed[45] = '!';
  CHECK(read_content(page_start + changed).error == ErrorKind::damaged);
}

TEST_CASE("a zstd stream may begin with skippable frames", "[core][transport]") {
  for (const char magic : {'\x50', '\x5F'}) {
    const std::string skippable = magic + std::string("\x2A\x4D\x18\4\0\0\0size", 11);
    for (const std::string& bytes :
         {skippable + compress("hello"), skippable + compress("he") + skippable + compress("llo")}) {
      const Content content = read_content(bytes);
      CHECK(content.text == "hello");
      CHECK_FALSE(content.error.has_value());
      CHECK(content.compression == Compression::zstd);
    }
    CHECK(read_content(skippable.substr(0, 10)).error == ErrorKind::damaged);
    CHECK(read_content(skippable + compress("hello").substr(0, 9)).error == ErrorKind::damaged);
  }
  CHECK(read_content("\x60\x2A\x4D\x18").compression == Compression::none);
}

TEST_CASE("a compressed file of any format that lacks its last byte is damaged", "[core][transport]") {
  const std::string name =
      GENERATE("mvmheap/v1/seed/moar-2017.08-small.txt", "mvmheap/v2/seed/layout-b.mvmheap",
               "mvmheap/v3/seed/two-snapshots.mvmheap", "chrome/legacy/seed/whole.json",
               "chrome/heaps_v2/seed/chrome-120-small.json", "v8/heapsnapshot/seed/small.heaptimeline",
               "v8/heapprofile/seed/small.heapprofile");
  const std::string frame = compress(tests::read_corpus(name));
  CAPTURE(name);
  CHECK(tests::check(frame).verdict == Verdict::valid);
  const Report report = tests::check(frame.substr(0, frame.size() - 1));
  CHECK(report.verdict == Verdict::not_well_formed);
  REQUIRE(report.count(Severity::error) == 1);
  CHECK(std::ranges::count(report.findings, &core::rules::input_compression, &Finding::rule) == 1);
}

TEST_CASE("the content before a wrong zstd checksum is kept", "[core][transport]") {
  const std::string text = tests::read_corpus("mvmheap/v1/seed/moar-2017.08-small.txt");
  std::string frame = compress(text);
  frame.back() = static_cast<char>(frame.back() ^ 1);
  const Content content = read_content(frame);
  CHECK(content.text == text);
  CHECK(content.error == ErrorKind::damaged);
  CHECK(tests::check(frame).verdict == Verdict::not_well_formed);
}
