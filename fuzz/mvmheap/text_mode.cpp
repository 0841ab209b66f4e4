// Property: leaving out the bytes that text mode adds restores the file, offsets can be converted both ways,
// and a valid binary dump that is recognised as written in text mode gets exactly one finding.
#include "formats/core/transport/text_mode_source.hpp"
#include "formats/mvmheap/faults.hpp"
#include "formats/open.hpp"
#include "fuzz/support/check.hpp"

using namespace heapcheck;
using fuzz::require;

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes write_in_text_mode(core::ByteSpan content) {
  Bytes file;
  for (const std::uint8_t byte : content) {
    if (byte == '\n') file.push_back('\r');
    file.push_back(byte);
  }
  return file;
}

/// Reads the file in pieces of up to `piece_bytes`.
Bytes read_all(core::TextModeSource& source, std::size_t piece_bytes) {
  Bytes content;
  Bytes piece(piece_bytes);
  for (auto got = source.read(piece); got && *got != 0; got = source.read(piece))
    content.insert(content.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(*got));
  return content;
}

void require_same_offsets(core::ByteSpan content, const core::AddedBytes& added) {
  const std::size_t step = content.size() / 4096 + 1;  // each conversion takes time
  std::uint64_t in_file = 0;
  for (std::uint64_t offset = 0; offset < content.size(); ++offset) {
    const bool is_checked = offset % step == 0;
    require(!is_checked || added.to_file(offset) == in_file, "an offset in the content leads to the file");
    require(!is_checked || added.from_file(in_file) == offset, "an offset in the file leads to the content");
    in_file += content[static_cast<std::size_t>(offset)] == '\n' ? 2U : 1U;
  }
  require(added.to_file(content.size()) == in_file, "the end of the content leads to the end of the file");
}

bool is_recognised(core::ByteSpan file) {
  const auto opened = formats::open(std::make_unique<core::MemorySource>(file), fuzz::make_limits());
  return opened && opened->text_mode;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan content(data, size);
  const Bytes file = write_in_text_mode(content);
  const std::size_t control = size != 0 ? data[size - 1] : 0;
  core::MemorySource bytes(file, control % 7 + 1);
  core::TextModeSource source(std::make_unique<core::Window>(bytes));
  require(std::ranges::equal(read_all(source, control / 7 + 1), content), "the content is restored");
  require_same_offsets(content, *source.added_bytes());

  if (!is_recognised(file) || is_recognised(content)) return 0;
  if (fuzz::check(content, fuzz::make_limits()).verdict != Verdict::valid) return 0;
  Report report = fuzz::check(file, fuzz::make_limits());
  std::erase_if(report.findings,
                [](const Finding& finding) { return finding.severity == Severity::warning; });
  require(report.findings.size() == 1, "there is only one finding");
  require(report.findings[0].rule == &mvmheap::rules::file_text_mode, "the finding names the cause");
  return 0;
}
