// Property: a snapshot is the same whether its arrays are read by one thread or by several. A piece of the
// input is repeated after one of its brackets, so that arrays have several chunks; the last three bytes
// determine the position and length of the piece, but are also read as part of the snapshot.
#include <string>

#include "formats/v8/heapsnapshot/reader.hpp"
#include "fuzz/support/windows.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapsnapshot;
using fuzz::require;

namespace {

constexpr std::size_t text_bytes = 400'000;

/// The text in which the piece after a bracket is repeated at that place.
std::string make_large(std::string_view text) {
  if (text.size() < 3) return std::string(text);
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[text.size() - i]); };
  const std::size_t bracket = text.find('[', (byte(1) * 256U + byte(2)) % text.size());
  if (bracket == std::string_view::npos) return std::string(text);
  const std::string_view piece = text.substr(bracket + 1, byte(3) + 1U);
  std::string large(text.substr(0, bracket + 1));
  while (large.size() < text_bytes && !piece.empty()) large += piece;
  return large += text.substr(bracket + 1);
}

struct Read {
  Snapshot snapshot;
  std::vector<Finding> findings;
};

Read read(std::string_view text, unsigned threads) {
  core::MemorySource source(core::as_bytes(text));
  core::Window window(source, threads > 1 ? core::Window::shared_capacity : core::Window::default_capacity);
  Limits limits = fuzz::make_limits();
  limits.max_threads = threads;
  validation::Collector sink(20);
  Read result{read_snapshot(window, limits, sink, false), {}};
  result.findings = sink.take_findings();
  return result;
}

bool is_same_table(const Table& a, const Table& b) {
  return a.span == b.span && a.marks == b.marks && a.value_count == b.value_count && a.rest == b.rest &&
         a.wrong == b.wrong && a.extent == b.extent && a.is_last_open == b.is_last_open &&
         a.memory() == b.memory();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = make_large(core::as_text({data, size}));
  const Read one = read(text, 1);
  const Read several = read(text, 3);
  require(one.snapshot == several.snapshot, "the snapshot is the same");
  require(std::ranges::equal(one.snapshot.tables, several.snapshot.tables, is_same_table),
          "the tables and their places are the same");
  require(std::ranges::equal(one.findings, several.findings, fuzz::same_finding),
          "the findings are the same");
  return 0;
}
