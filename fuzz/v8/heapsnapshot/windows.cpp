// Property: how the bytes arrive does not matter. Read in pieces, or through a smaller window, a snapshot
// gives the same findings, columns and places as read at once. The last two bytes say how large the pieces
// are, and whether the text is read too; they are read as part of the snapshot all the same.
#include "fuzz/support/windows.hpp"
#include "formats/v8/heapsnapshot/reader.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapsnapshot;
using fuzz::require;

namespace {

bool same_table(const Table& a, const Table& b) {
  return a.span == b.span && a.marks == b.marks && a.value_count == b.value_count && a.wrong == b.wrong &&
         a.is_whole == b.is_whole && a.is_last_open == b.is_last_open;
}

bool same_places(const Snapshot& a, const Snapshot& b) {
  return a.header.span == b.header.span && a.schema.span == b.schema.span &&
         std::ranges::equal(a.tables, b.tables, same_table) && a.trace_tree.offsets == b.trace_tree.offsets &&
         a.trace_tree.whole_rows == b.trace_tree.whole_rows && a.trace_tree.span == b.trace_tree.span &&
         a.strings.span == b.strings.span && a.strings.is_whole == b.strings.is_whole &&
         a.is_whole == b.is_whole;
}

bool same_key(const Key& a, const Key& b) {
  return a.span == b.span && a.is_plain == b.is_plain && a.is_tight == b.is_tight;
}

bool same_mark(const TextMark& a, const TextMark& b) {
  return a.offset == b.offset && a.text == b.text && a.is_key == b.is_key;
}

bool same_text(const Text& a, const Text& b) {
  return same_key(a.header, b.header) && std::ranges::equal(a.keys, b.keys, same_key) &&
         a.others == b.others && std::ranges::equal(a.marks, b.marks, same_mark);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  if (size < 2) return 0;
  const bool with_text = data[size - 1] % 2 != 0;
  const auto read = [with_text](core::Window& window, core::FindingSink& sink) {
    return read_snapshot(window, fuzz::make_limits(), sink, with_text);
  };
  const auto require_same = [](const Snapshot& whole, const Snapshot& other) {
    require(whole == other, "so is the snapshot");
    require(same_places(whole, other), "so are the places");
    require(same_text(whole.text, other.text), "so is what a search sees");
  };
  fuzz::require_windows_agree(bytes, fuzz::SmallWindows::equal, read, require_same);
  return 0;
}
