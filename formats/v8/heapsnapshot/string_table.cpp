#include "formats/v8/heapsnapshot/string_table.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "formats/core/json/grammar.hpp"
#include "formats/core/json/leaf.hpp"
#include "formats/core/text/utf8.hpp"

namespace heapcheck::v8::heapsnapshot {
namespace {

constexpr char32_t first_high = 0xD800;
constexpr char32_t first_low = 0xDC00;
constexpr char32_t end_of_low = 0xE000;

/// The letter of the short escape for a code unit, or 0 if there is none.
constexpr char find_short_escape(char32_t unit) {
  constexpr std::array<std::pair<char32_t, char>, 7> escapes{
      {{'"', '"'}, {'\\', '\\'}, {'\b', 'b'}, {'\f', 'f'}, {'\n', 'n'}, {'\r', 'r'}, {'\t', 't'}}};
  for (const auto& [escaped, letter] : escapes) {
    if (escaped == unit) return letter;
  }
  return 0;
}

void append_unit(char32_t unit, std::string& out) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  if (const char letter = find_short_escape(unit); letter != 0) {
    out += '\\';
    out += letter;
  } else if (unit >= 0x20 && unit < 0x80) {
    out += static_cast<char>(unit);
  } else {
    out += "\\u";
    for (unsigned shift = 16; shift != 0; shift -= 4) out += hex[unit >> (shift - 4) & 0xFU];
  }
}

void append_code_point(char32_t code_point, std::string& out) {
  if (code_point < 0x10000) return append_unit(code_point, out);
  append_unit(first_high + ((code_point - 0x10000) >> 10), out);
  append_unit(first_low + ((code_point - 0x10000) & 0x3FFU), out);
}

/// Whether the bytes begin with a surrogate encoded in three bytes, which is not valid UTF-8.
bool is_surrogate(core::ByteSpan bytes) { return bytes.size() >= 3 && bytes[0] == 0xED && bytes[1] >= 0xA0; }

}  // namespace

std::string& StringTable::begin_string(std::uint64_t offset) {
  if (count_ == chunks_.size() * chunk_rows) {
    if (!chunks_.empty()) {
      chunks_.back().text.shrink_to_fit();
      text_size_ += chunks_.back().text.size();
    }
    chunks_.emplace_back().mark = offset;
  }
  return chunks_.back().text;
}

std::uint64_t StringTable::end_string() {
  Chunk& chunk = chunks_.back();
  if (chunk.text.size() > std::numeric_limits<std::uint32_t>::max()) {
    drop_string();
    return std::numeric_limits<std::uint64_t>::max() / 2;
  }
  const std::uint64_t begin = chunk.ends.empty() ? 0 : chunk.ends.back();
  chunk.ends.push_back(static_cast<std::uint32_t>(chunk.text.size()));
  ++count_;
  return chunk.text.size() - begin + sizeof(std::uint32_t);
}

void StringTable::drop_string() {
  Chunk& chunk = chunks_.back();
  chunk.text.resize(chunk.ends.empty() ? 0 : chunk.ends.back());
}

std::uint64_t StringTable::memory() const {
  const std::uint64_t last = chunks_.empty() ? 0 : chunks_.back().text.capacity();
  return text_size_ + last + count_ * sizeof(std::uint32_t) + chunks_.size() * sizeof(Chunk);
}

Span StringTable::find(std::uint64_t index, std::uint64_t end) const {
  const auto chunk_index = static_cast<std::size_t>(index / chunk_rows);
  const Chunk& chunk = chunks_[chunk_index];
  const bool is_last = chunk_index + 1 == chunks_.size();
  const std::uint64_t length = (is_last ? end - 1 : chunks_[chunk_index + 1].mark) - chunk.mark;
  const std::uint64_t text = chunk.ends.back();
  const std::uint64_t i = index % chunk_rows;
  const std::uint64_t begin = i == 0 ? 0 : chunk.ends[static_cast<std::size_t>(i) - 1];
  // Each string has two quotes and a comma. Old versions of V8 add a line feed, and Python adds a space.
  for (const std::uint64_t around : {3U, 4U}) {
    const std::uint64_t unclosed = is_last ? around - 2 : 0;
    if (text + chunk.ends.size() * around == length + unclosed)
      return {chunk.mark + begin + i * around, (*this)[index].size() + 2};
  }
  return {chunk.mark, length};
}

bool operator==(const StringTable& a, const StringTable& b) {
  return std::ranges::equal(a.chunks_, b.chunks_,
                            [](const StringTable::Chunk& x, const StringTable::Chunk& y) {
                              return x.ends == y.ends && x.text == y.text;
                            });
}

void append_spelling(std::string_view text, std::string& out) {
  core::ByteSpan rest = core::as_bytes(text);
  while (!rest.empty()) {
    std::size_t taken = 1;
    if (is_surrogate(rest)) {
      append_unit(0xD000U | (rest[1] & 0x3FU) << 6 | (rest[2] & 0x3FU), out);
      taken = 3;
    } else if (const auto decoded = core::decode_utf8(rest)) {
      append_code_point(decoded->code_point, out);
      taken = decoded->byte_count;
    } else {
      append_unit(core::replacement_character, out);
    }
    rest = rest.subspan(taken);
  }
}

std::size_t respell(core::ByteSpan json, std::string& out) {
  for (std::size_t at = 0;;) {
    const core::json::StringRun run = core::json::scan_string_run(json.subspan(at));
    out += core::as_text(json.subspan(at, run.byte_count));
    at += run.byte_count;
    if (at == json.size() || !run.ascii) return not_respelled;
    if (json[at] == '"') return at;
    const auto escape = core::json::escape(json.subspan(at));
    if (!escape) return not_respelled;
    append_unit(escape->code_unit, out);
    at += escape->byte_count;
  }
}

std::string decode_spelling(std::string_view spelling) {
  std::string text;
  core::ByteSpan rest = core::as_bytes(spelling);
  while (!rest.empty()) {
    const auto escape = core::json::escape(rest);
    char32_t code_point = escape ? escape->code_unit : rest[0];
    rest = rest.subspan(escape ? escape->byte_count : 1);
    const auto second = core::json::escape(rest);
    if (code_point >= first_high && code_point < first_low && second && second->code_unit >= first_low &&
        second->code_unit < end_of_low) {
      code_point = 0x10000 + ((code_point - first_high) << 10) + (second->code_unit - first_low);
      rest = rest.subspan(second->byte_count);
    }
    core::encode_utf8(code_point, text);
  }
  return text;
}

}  // namespace heapcheck::v8::heapsnapshot
