#include "formats/chrome/heaps_v2/row_leaf.hpp"

#include <algorithm>
#include <cstring>

#include "formats/chrome/heaps_v2/model.hpp"
#include "formats/core/codec.hpp"
#include "formats/core/json/leaf.hpp"

namespace heapcheck::chrome::heaps_v2 {
namespace {

/// More than the length of the longest row without its string, so that decoding a row needs no bounds checks.
constexpr std::size_t longest_row = 96;

/// A longer string, and what follows it, may not be visible (JsonReader::peek_elements()), so that the result
/// would depend on how many bytes are.
constexpr std::size_t longest_string = 768;

/// Reads bytes without bounds checks; the caller ensures that there are enough of them.
class Cursor {
 public:
  explicit Cursor(core::ByteSpan bytes) : bytes_(bytes) {}

  template <std::size_t size>
  bool take(const char (&text)[size]) {
    if (std::memcmp(bytes_.data() + here_, text, size - 1) != 0) return false;
    here_ += size - 1;
    return true;
  }
  bool take_id(std::uint64_t& id) {
    const auto word = core::decode_le<std::uint64_t>(bytes_.data() + here_);
    const unsigned count = core::json::count_word_digits(word);
    if (count - 1 >= 7 || (count > 1 && bytes_[here_] == '0')) return false;
    id = core::decode_eight_digits(word << (64 - 8 * count));
    here_ += count;
    return true;
  }
  void skip(std::size_t byte_count) { here_ += byte_count; }
  /// Skips the line feed that Chrome 62 to 75 wrote after a row.
  void skip_line_feed() { here_ += bytes_[here_] == '\n' ? 1U : 0U; }
  [[nodiscard]] std::size_t here() const { return here_; }
  [[nodiscard]] core::ByteSpan rest() const { return bytes_.subspan(here_); }

 private:
  core::ByteSpan bytes_;
  std::size_t here_ = 0;
};

}  // namespace

std::size_t decode_named_row(core::ByteSpan bytes, NamedRow& row) {
  if (bytes.size() < longest_row) return 0;
  Cursor cursor(bytes);
  cursor.skip_line_feed();
  row.parent = no_id;
  if (!cursor.take("{\"id\":") || !cursor.take_id(row.id)) return 0;
  if (!cursor.take(",\"name_sid\":") || !cursor.take_id(row.name_sid)) return 0;
  if (cursor.take(",\"parent\":") && !cursor.take_id(row.parent)) return 0;
  return cursor.take("},") ? cursor.here() : 0;
}

std::size_t decode_string_row(core::ByteSpan bytes, StringRow& row) {
  if (bytes.size() < longest_row) return 0;
  Cursor cursor(bytes);
  cursor.skip_line_feed();
  if (!cursor.take("{\"id\":") || !cursor.take_id(row.id) || !cursor.take(",\"string\":\"")) return 0;
  const core::ByteSpan rest = cursor.rest().first(std::min(cursor.rest().size(), longest_string));
  const core::json::StringRun run = core::json::scan_string_run(rest);
  constexpr std::size_t end_bytes = 3;  // quote, brace, comma
  if (!run.ascii || rest.size() - run.byte_count < end_bytes) return 0;
  row.text = core::as_text(rest.first(run.byte_count));
  cursor.skip(run.byte_count);
  return cursor.take("\"},") ? cursor.here() : 0;
}

}  // namespace heapcheck::chrome::heaps_v2
