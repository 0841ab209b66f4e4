// Property: the result does not depend on how the bytes arrive. Reading a snapshot in pieces, or through a
// smaller window, yields the same findings, columns and offsets as reading it at once. The last two bytes
// determine the size of the pieces and whether the text is also read; they are themselves read as part of the
// snapshot.
#include "fuzz/support/windows.hpp"
#include "formats/v8/heapsnapshot/quirks.hpp"
#include "formats/v8/heapsnapshot/reader.hpp"
#include "fuzz/support/same.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapsnapshot;
using fuzz::require;

namespace {

constexpr auto same_table = fuzz::same<&Table::span, &Table::marks, &Table::value_count, &Table::wrong,
                                       &Table::extent, &Table::is_last_open>;
constexpr auto same_key = fuzz::same<&Key::span, &Key::is_plain, &Key::is_tight>;
constexpr auto same_mark = fuzz::same<&TextMark::offset, &TextMark::text, &TextMark::is_key>;

bool same_places(const v8::heapsnapshot::Snapshot& a, const v8::heapsnapshot::Snapshot& b) {
  return a.header.span == b.header.span && a.schema.span == b.schema.span &&
         std::ranges::equal(a.tables, b.tables, same_table) && a.trace_tree.offsets == b.trace_tree.offsets &&
         a.trace_tree.whole_rows == b.trace_tree.whole_rows && a.trace_tree.span == b.trace_tree.span &&
         a.strings.span == b.strings.span && a.strings.extent == b.strings.extent && a.is_whole == b.is_whole;
}

bool same_text(const Text& a, const Text& b) {
  return same_key(a.header, b.header) && std::ranges::equal(a.keys, b.keys, same_key) &&
         a.others == b.others && std::ranges::equal(a.marks, b.marks, same_mark);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const bool with_text = size != 0 && data[size - 1] % 2 != 0;
  const auto read = [with_text](core::Window& window, core::FindingSink& sink) {
    return read_snapshot(window, fuzz::make_limits(), sink, with_text);
  };
  const auto require_same = [](const v8::heapsnapshot::Snapshot& whole,
                               const v8::heapsnapshot::Snapshot& other) {
    require(whole == other, "the snapshot is the same");
    require(same_places(whole, other), "the offsets are the same");
    require(same_text(whole.text, other.text), "the searched text is the same");
  };
  // Lines before the document are only found if they are within one window.
  const bool has_lines = find_line_of_document({data, size}) != 0;
  const auto small_windows = has_lines ? fuzz::SmallWindows::shorter : fuzz::SmallWindows::equal;
  fuzz::require_windows_agree({data, size}, small_windows, read, require_same);
  return 0;
}
