#include "formats/v8/heapsnapshot/string_table.hpp"

#include <algorithm>
#include <limits>

namespace heapcheck::v8::heapsnapshot {

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
  // Each string has two quotes and a comma; old versions of V8 add a line feed, and Python adds a space.
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

}  // namespace heapcheck::v8::heapsnapshot
