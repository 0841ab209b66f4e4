// Property: a snapshot that reads without errors is written as one that reads equal, without errors, and is
// written as the same bytes again.
#include "formats/v8/heapsnapshot/reader.hpp"
#include "formats/v8/heapsnapshot/writer.hpp"
#include "fuzz/support/inputs.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapsnapshot;
using fuzz::require;

namespace {

struct Outcome {
  Snapshot snapshot;
  bool is_clean = false;
};

Outcome read(core::ByteSpan bytes, const Limits& limits) {
  core::MemorySource source(bytes);
  core::Window window(source);
  core::SilentSink silent;
  core::Tally tally(silent);
  Snapshot snapshot = read_snapshot(window, limits, tally);
  return {std::move(snapshot), tally.clean()};
}

std::vector<std::uint8_t> write(const Snapshot& snapshot) {
  core::MemorySink sink;
  require(write_snapshot(snapshot, sink).has_value(), "memory can be written to");
  return sink.bytes();
}

/// Whether writing loses nothing: rows of numbers are whole, and the tree is in V8's order.
bool is_normal(const Snapshot& snapshot) {
  for (std::size_t i = 0; i < section_count; ++i) {
    const Table& table = snapshot.tables[i];
    if (table.value_count != table.row_count() * table.columns.size()) return false;
  }
  const auto& fields = snapshot.schema.fields[index_of(Section::trace_tree)];
  const std::vector<std::string> usual{"id", "function_info_index", "count", "size", "children"};
  return !fields || *fields == usual;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Outcome first = read({data, size}, fuzz::make_limits());
  if (!first.is_clean) return 0;
  const auto written = write(first.snapshot);
  const Outcome second = read(written, {});
  require(second.is_clean, "what is written has no errors");
  require(write(second.snapshot) == written, "and is written as the same bytes");
  require(!is_normal(first.snapshot) || second.snapshot == first.snapshot, "and reads equal");
  return 0;
}
