// Property: the reader describes any bytes consistently: all columns of a section have the same length,
// sections are inside the input and have enough numbers for their rows, and every row is inside its section.
#include "formats/v8/heapsnapshot/reader.hpp"

#include "fuzz/support/inputs.hpp"
#include "validate/collector.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapsnapshot;
using fuzz::require;

namespace {

bool is_within(Span inner, Span outer) { return inner.offset >= outer.offset && inner.end() <= outer.end(); }

void check_table(const Table& table, std::uint64_t byte_count) {
  require(fuzz::is_inside(table.span, byte_count), "a section is inside the input");
  for (const ChunkedColumn& column : table.columns) {
    require(column.count() == table.row_count(), "all columns have the same length");
  }
  const std::uint64_t width = table.columns.size();
  require(width == 0 || table.row_count() <= table.value_count / width,
          "there are enough numbers for the rows");
  for (std::uint64_t row = 0; table.is_whole() && row < table.row_count(); row += 1 + row / 8) {
    require(is_within(find_row(table, row), table.span), "a row is inside its section");
    require(is_within(find_value(table, row, width - 1), table.span), "a number is inside its section");
  }
}

void check_tree(const TraceTree& tree) {
  const std::size_t count = tree.id.size();
  require(tree.parent.size() == count && tree.offsets.size() == count && tree.size.size() == count &&
              tree.count.size() == count && tree.function_info_index.size() == count,
          "all columns of the tree have the same length");
  for (std::size_t node = 0; node < count; ++node) {
    const std::uint32_t parent = tree.parent[node];
    require(parent == TraceTree::no_parent || parent < node, "a caller comes before its callees");
  }
}

void check_strings(const Strings& strings) {
  for (std::uint64_t i = 0; strings.is_whole() && i < strings.table.count(); ++i) {
    require(is_within(strings.find(i), strings.span), "a string is inside its section");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  core::MemorySource source({data, size});
  core::Window window(source);
  validation::Collector collector(1000);
  const Snapshot snapshot = read_snapshot(window, fuzz::make_limits(), collector);
  for (const Table& table : snapshot.tables) check_table(table, size);
  check_tree(snapshot.trace_tree);
  check_strings(snapshot.strings);
  const auto findings = collector.take_findings();
  fuzz::require_places_inside(findings, size);
  require(snapshot.is_whole || !findings.empty(), "an incomplete snapshot has a finding");
  return 0;
}
