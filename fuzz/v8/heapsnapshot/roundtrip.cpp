// Property: a snapshot that was read without errors is written so that reading it back produces an equal
// snapshot without errors, and writing that snapshot produces the same bytes.
#include "fuzz/support/roundtrip.hpp"

#include <algorithm>

#include "formats/v8/heapsnapshot/reader.hpp"
#include "formats/v8/heapsnapshot/writer.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapsnapshot;

namespace {

/// Whether nothing is lost in writing, because all rows of numbers are complete, sections are in V8's order,
/// and the tree has V8's columns.
bool is_normal(const Snapshot& snapshot) {
  for (std::size_t i = 0; i < section_count; ++i) {
    const Table& table = snapshot.tables[i];
    if (table.value_count != table.row_count() * table.columns.size()) return false;
  }
  if (!std::ranges::is_sorted(snapshot.order)) return false;
  const auto& fields = snapshot.schema.fields[index_of(Section::trace_tree)];
  return !fields || std::ranges::equal(*fields, tree_fields);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = [](core::Window& window, const Limits& limits, core::FindingSink& sink) {
    return read_snapshot(window, limits, sink);
  };
  const auto require_same = [](const Snapshot& first, const Snapshot& again) {
    fuzz::require(!is_normal(first) || again == first, "the snapshot is the same");
  };
  fuzz::require_roundtrip({data, size}, read, write_snapshot, require_same);
  return 0;
}
