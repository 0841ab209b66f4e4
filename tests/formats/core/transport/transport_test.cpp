#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "formats/core/codec.hpp"
#include "formats/core/faults.hpp"
#include "formats/core/source.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/check.hpp"
#include "tests/support/files.hpp"

using namespace heapcheck;

namespace {

struct Content {
  std::string text{};
  std::optional<ErrorKind> error{};
  std::string message{};
  Compression compression = Compression::none;
  core::TransportState transport{};
};

Content read_content(std::unique_ptr<core::ByteSource> source) {
  const auto is_dump = [](core::ByteSpan first_bytes) { return first_bytes[0] == 'h'; };
  auto input = core::unwrap(std::move(source), Limits{}, is_dump);
  if (!input) return {.error = input.error().kind, .message = input.error().message};
  Content content{.compression = input->compression};
  std::vector<std::uint8_t> buffer(16);
  for (;;) {
    const auto got = input->source->read(buffer);
    content.transport = input->source->transport();
    if (!got) {
      content.error = got.error().kind;
      content.message = got.error().message;
    }
    if (!got || *got == 0) return content;
    content.text.append(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(*got));
  }
}

/// The content of `bytes` when they are read in pieces.
Content read_content(const std::string& bytes, std::size_t chunk = 7) {
  return read_content(std::make_unique<core::MemorySource>(core::as_bytes(bytes), chunk));
}

/// Text, and then an error instead of the end.
class FailingSource final : public core::ByteSource {
 public:
  explicit FailingSource(const std::string& text) : bytes_(core::as_bytes(text)) {}
  Result<std::size_t> read(core::MutableByteSpan buffer) override {
    const auto got = bytes_.read(buffer);
    if (got && *got == 0) return std::unexpected(Error{ErrorKind::unreadable, "cannot be read"});
    return got;
  }

 private:
  core::MemorySource bytes_;
};

/// A stored file with a name of 1 byte, without the directory of the archive.
std::string make_file(const std::string& name, const std::string& content) {
  const auto checksum = ::crc32(0, core::as_bytes(content).data(), static_cast<uInt>(content.size()));
  std::vector<std::uint8_t> header;
  core::encode_le(static_cast<std::uint32_t>(checksum), header);
  for (int i = 0; i < 2; ++i) core::encode_le(static_cast<std::uint32_t>(content.size()), header);
  return std::string("PK\3\4\x0a\0\0\0\0\0\0\0\0\0", 14) + std::string(core::as_text(header)) +
         std::string("\1\0\0\0", 4) + name + content;
}
const std::string file = make_file("a", "hello");
const std::string folder{"PK\3\4\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\2\0\0\0d/", 32};

/// An entry in the form that Java's `jar` writes: deflated, with a descriptor.
const std::string java_folder{
    "PK\3\4\x14\0\x08\x08\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\2\0\0\0d/\3\0"
    "PK\7\x08\0\0\0\0\2\0\0\0\0\0\0\0",
    50};

/// The central directory of an archive with `count` members that have no names.
std::string make_directory(char count) {
  std::string bytes;
  for (char i = 0; i < count; ++i) bytes += std::string("PK\1\2", 4) + std::string(42, '\0');
  return bytes + std::string("PK\5\6\0\0\0\0", 8) + count + '\0' + count + std::string(11, '\0');
}
const std::string directory = make_directory(1);

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

TEST_CASE("a pipe is widened before it is read, but never narrowed", "[core][transport]") {
  constexpr int wide = 1 << 20;
  for (const int size : {4096, 2 * wide}) {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    // Some systems do not allow such sizes.
    const bool is_allowed =
        ::fcntl(ends[1], F_SETPIPE_SZ, wide) > 0 && ::fcntl(ends[1], F_SETPIPE_SZ, size) > 0;
    const auto source = core::open_file("/dev/fd/" + std::to_string(ends[0]));
    REQUIRE(source);
    if (is_allowed) CHECK(::fcntl(ends[1], F_GETPIPE_SZ) == std::max(size, wide));
    for (const int end : ends) ::close(end);
  }
}

TEST_CASE("the only file of a zip archive is the input", "[core][transport]") {
  for (const std::string& bytes :
       {file + directory, folder + file + make_directory(2), file + folder + make_directory(2),
        file + directory + std::string(3, '\0')}) {
    const Content content = read_content(bytes);
    CHECK(content.text == "hello");
    CHECK_FALSE(content.error.has_value());
    CHECK(content.transport.trailing_bytes.empty());
    CHECK(content.compression == Compression::zip);
  }
}

TEST_CASE("a damaged or truncated zip archive is damaged", "[core][transport]") {
  std::string changed = file + directory;
  changed[32] = 'H';
  CHECK(read_content(changed).error == ErrorKind::damaged);
  CHECK(read_content(changed).transport.is_corrupt);
  CHECK(read_content(file + make_directory(2)).error == ErrorKind::damaged);
  for (std::size_t length = 5; length < file.size() + directory.size(); ++length) {
    CAPTURE(length);
    const Content content = read_content((file + directory).substr(0, length));
    CHECK(content.error == ErrorKind::damaged);
    CHECK_FALSE(content.transport.is_corrupt);
  }
}

TEST_CASE("the only file of a zip archive that may be a heap dump is the input", "[core][transport]") {
  const std::string other = make_file("b", "metadata");
  for (const std::string& bytes : {file + other + make_directory(2), other + file + make_directory(2)}) {
    const Content content = read_content(bytes);
    CHECK(content.text == "hello");
    CHECK_FALSE(content.error.has_value());
  }
  CHECK(read_content(other + directory).text == "metadata");
  CHECK(read_content(other + other + make_directory(2)).error == ErrorKind::unknown_format);
}

TEST_CASE("a stored file may have its size in the extra field for large archives", "[core][transport]") {
  std::string bytes = make_file("a", "hello");
  bytes.replace(18, 8, 8, '\xff');
  bytes[28] = 20;
  bytes.insert(31, std::string("\1\0\x10\0", 4) + '\5' + std::string(7, '\0') + '\5' + std::string(7, '\0'));
  CHECK(read_content(bytes + directory).text == "hello");
  CHECK_FALSE(read_content(bytes + directory).error.has_value());
  bytes[31] = '\2';
  CHECK(read_content(bytes + directory).error == ErrorKind::unsupported);
}

TEST_CASE("a zip archive with two heap dumps is not supported", "[core][transport]") {
  const std::string bytes = file + file + make_directory(2);
  CHECK(read_content(bytes).error == ErrorKind::unsupported);
  CHECK(read_content(bytes).message.find("a, a") != std::string::npos);
}

TEST_CASE("bytes after compressed data are found, unless they are zeros", "[core][transport]") {
  const std::string gzip{
      "\x1f\x8b\x08\0\0\0\0\0\0\x03\xcbH\xcd\xc9\xc9\x07\0\x86\xa6\x10"
      "6\5\0\0\0",
      25};
  for (const std::string& bytes : {gzip, compress("hello"), file + directory}) {
    const Content junk = read_content(bytes + "junk");
    CHECK(junk.text == "hello");
    CHECK_FALSE(junk.error.has_value());
    CHECK(junk.transport.trailing_bytes.starts_with("found 4 bytes after the end of the "));
    CHECK(read_content(bytes + std::string(9, '\0')).transport.trailing_bytes.empty());
  }
  CHECK(read_content(gzip + gzip).text == "hellohello");
  CHECK(read_content(compress("hello") + compress("hello")).text == "hellohello");
  const std::string skippable("\x50\x2a\x4d\x18\4\0\0\0data", 12);
  CHECK(read_content(skippable + compress("hello") + skippable).text == "hello");
  CHECK(read_content(skippable + compress("hello") + skippable).compression == Compression::zstd);
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

TEST_CASE("the content of an HTML page before an error of the file is kept", "[core][transport]") {
  const std::string page = page_start + "<script id=\"viewer-data\">\naGVs\nbG8=\n";
  const Content content = read_content(std::make_unique<FailingSource>(page));
  CHECK(content.text == "hello");
  CHECK(content.error == ErrorKind::unreadable);
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

TEST_CASE("a zstd stream may need a window of 128 MiB, but no larger one", "[core][transport]") {
  const auto make_frame = [](unsigned window_log) {
    const std::string last_stored_block("\x29\0\0hello", 8);
    return std::string("\x28\xB5\x2F\xFD\0", 5) + static_cast<char>((window_log - 10) << 3U) +
           last_stored_block;
  };
  CHECK(read_content(make_frame(27)).text == "hello");
  CHECK_FALSE(read_content(make_frame(27)).error.has_value());
  const Content content = read_content(make_frame(28));
  CHECK(content.text.empty());
  CHECK(content.error == ErrorKind::limit);
  CHECK(content.message.ends_with("needs a window larger than the limit"));
}

TEST_CASE("a compressed input may decompress to its floor or its ratio, whichever is larger",
          "[core][transport]") {
  const std::string bytes = compress(std::string(1'000'000, 'x'));
  REQUIRE(bytes.size() < 1000);
  const auto count = [&](const Limits& limits) {
    auto input = core::unwrap(std::make_unique<core::MemorySource>(core::as_bytes(bytes)), limits);
    REQUIRE(input);
    std::vector<std::uint8_t> buffer(100'000);
    std::size_t total = 0;
    for (;;) {
      const auto got = input->source->read(buffer);
      if (!got) CHECK(got.error().kind == ErrorKind::limit);
      if (!got || *got == 0) return total;
      total += *got;
    }
  };
  CHECK(count({.input_floor = 500'000, .input_ratio = 1}) == 500'000);
  CHECK(count({.input_floor = 1'000'000, .input_ratio = 1}) == 1'000'000);
  CHECK(count({.input_floor = 0, .input_ratio = 100}) == 100 * bytes.size());
  CHECK(count({.input_floor = 0, .input_ratio = 1'000'000}) == 1'000'000);
  CHECK(count({.max_input = 300'000, .input_floor = 500'000}) == 300'000);
}

TEST_CASE("the copy of a pipe is limited like a decompressed input", "[core][transport]") {
  for (const std::uint64_t most : {99U, 100U}) {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    REQUIRE(::write(ends[1], std::string(100, 'x').data(), 100) == 100);
    ::close(ends[1]);
    const auto source = core::open_rereadable("/dev/fd/" + std::to_string(ends[0]), {.max_input = most});
    ::close(ends[0]);
    CHECK(source.has_value() == (most == 100));
    if (source) CHECK((*source)->byte_count() == 100);
    if (!source) CHECK(source.error().kind == ErrorKind::limit);
  }
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

TEST_CASE("of a file with a wrong checksum around it, only that is reported", "[core][transport]") {
  const std::string name =
      GENERATE("mvmheap/v1/seed/moar-2017.08-small.txt", "mvmheap/v2/seed/layout-b.mvmheap",
               "mvmheap/v3/seed/two-snapshots.mvmheap", "chrome/legacy/seed/whole.json",
               "chrome/heaps_v2/seed/chrome-120-small.json", "v8/heapsnapshot/seed/small.heaptimeline",
               "v8/heapprofile/seed/small.heapprofile");
  CAPTURE(name);
  std::string content = tests::read_corpus(name);
  const std::string whole = make_file("a", content);
  for (std::size_t at = content.size() / 4; at < content.size(); at += content.size() / 7 + 1) {
    std::string changed = whole;
    changed[whole.size() - content.size() + at] ^= 1;
    const Report report = tests::check(changed + directory);
    CHECK(report.verdict == Verdict::not_well_formed);
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].rule == &core::rules::input_compression);
  }
}
