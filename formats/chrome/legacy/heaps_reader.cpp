#include "formats/chrome/legacy/heaps_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/chrome/legacy/faults.hpp"
#include "formats/chrome/legacy/grammar.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::chrome::legacy {
namespace {

using core::JsonToken;

constexpr std::array<std::string_view, 4> members{"size", "count", "bt", "type"};
constexpr std::uint64_t row_bytes =
    2 * sizeof(std::uint32_t) + 2 * sizeof(std::uint64_t) + sizeof(std::uint32_t) + sizeof(std::uint16_t);

template <class Function>
void for_each_column(Entries& entries, const Function& function) {
  function(entries.frame);
  function(entries.type);
  function(entries.size);
  function(entries.count);
  function(entries.at);
  function(entries.length);
}

/// The number of bytes of memory in use after adding `more` rows. Counts rows rather than capacity, so that
/// limits do not depend on how the bytes arrive.
std::uint64_t memory(const Entries& entries, std::size_t more = 0) {
  return (entries.row_count() + more) * row_bytes;
}

/// Makes room for `count` more rows. Columns only grow by half, because they are large.
void grow(Entries& entries, std::size_t count) {
  const std::size_t capacity = entries.frame.capacity();
  const std::size_t wanted = entries.frame.size() + count;
  if (wanted <= capacity) return;
  const std::size_t larger = std::max(wanted, capacity + capacity / 2);
  for_each_column(entries, [larger](auto& column) { column.reserve(larger); });
}

template <class T>
void append_column(std::vector<T>& column, const std::array<T, EntryBlock::capacity>& values,
                   std::size_t count) {
  column.insert(column.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
}

}  // namespace

Dump HeapsReader::read() {
  core::JsonReader& json = context_.json;
  json.next();
  Dump dump{.head = {}, .source = {context_.place, json.span()}, .heaps = {}};
  if (!context_.is_at(JsonToken::object_begin, {})) return dump;
  while (json.next() == JsonToken::key) read_heap();
  dump.source.span.length = json.span().end() - dump.source.span.offset;
  dump.heaps = std::move(heaps_);
  return dump;
}

void HeapsReader::read_heap() {
  core::JsonReader& json = context_.json;
  Heap heap;
  heap.allocator = json.text();
  const std::string suffix = "/" + core::escape_key(heap.allocator);
  const std::uint64_t known = allocators_.count();
  allocators_.intern(heap.allocator);
  const bool is_repeated = allocators_.count() == known;
  if (is_repeated) {
    context_.report_repeated(suffix, "found a second allocator of this name, expected one");
  }
  if (is_repeated || !fits()) {
    json.skip_value();
    return;
  }
  json.next();
  heap.span = json.span();
  if (!context_.is_at(JsonToken::object_begin, suffix)) return;
  entries_path_ = suffix + "/entries";
  bool has_entries = false;
  while (json.next() == JsonToken::key) {
    const bool is_entries = json.text() == "entries";
    if (is_entries && has_entries) {
      context_.report_repeated(entries_path_, "the allocator has a second `entries`, expected one");
      heap.is_damaged = true;
    }
    if (is_entries && !has_entries) {
      read_entries(heap);
      has_entries = true;
    } else {
      json.skip_value();
    }
  }
  if (!has_entries) heap.span.length = json.span().end() - heap.span.offset;
  for_each_column(heap.entries, [](auto& column) { column.shrink_to_fit(); });  // makes room for the next
                                                                                // heap
  bytes_ += memory(heap.entries) + sizeof(Heap) + heap.allocator.capacity() + 2 * heap.allocator.size();
  heaps_.push_back(std::move(heap));
}

void HeapsReader::read_entries(Heap& heap) {
  core::JsonReader& json = context_.json;
  json.next();
  heap.span = json.span();
  if (!context_.is_at(JsonToken::array_begin, entries_path_)) {
    heap.is_damaged = true;
    return;
  }
  for (;;) {
    while (take_run(heap)) {
    }
    const bool fits_more = context_.fits(bytes_ + memory(heap.entries));
    const JsonToken token = fits_more ? json.next() : json.skip_rest();
    if (!fits_more || token == JsonToken::array_end || token == JsonToken::error) break;
    read_entry(heap);
  }
  heap.span.length = json.span().end() - heap.span.offset;
  for_each_column(heap.entries, [](auto& column) { column.shrink_to_fit(); });
}

/// Reads a run of entries that have the common form. Returns false if the next entry has a different form or
/// there is no next entry.
bool HeapsReader::take_run(Heap& heap) {
  core::JsonReader& json = context_.json;
  const std::size_t byte_count = decode_entries(json.peek_elements(), block_);
  if (byte_count == 0 || !context_.has_room(bytes_ + memory(heap.entries, block_.count))) return false;
  json.take_elements(byte_count);
  const std::uint64_t begin = json.span().offset - heap.span.offset;
  for (std::size_t i = 0; i < block_.count; ++i) {
    block_.at[i] = static_cast<std::uint32_t>(std::min<std::uint64_t>(begin + block_.at[i], UINT32_MAX));
  }
  Entries& entries = heap.entries;
  grow(entries, block_.count);
  append_column(entries.frame, block_.frame, block_.count);
  append_column(entries.type, block_.type, block_.count);
  append_column(entries.size, block_.size, block_.count);
  append_column(entries.count, block_.value_count, block_.count);
  append_column(entries.at, block_.at, block_.count);
  append_column(entries.length, block_.length, block_.count);
  return true;
}

/// Reads the element that begins with the current token, in any form.
void HeapsReader::read_entry(Heap& heap) {
  core::JsonReader& json = context_.json;
  PlacedEntry entry;
  entry.span = json.span();
  if (json.token() == JsonToken::object_begin || context_.is_at(JsonToken::object_begin, path(heap))) {
    read_members(heap, entry);
  } else {
    entry.frame = unreadable_stack;
    entry.type = unreadable_type;
    heap.is_damaged = true;
  }
  if (json.token() == JsonToken::error) return;
  entry.span.length = json.span().end() - entry.span.offset;
  append(heap, entry);
}

void HeapsReader::read_members(Heap& heap, PlacedEntry& entry) {
  core::JsonReader& json = context_.json;
  unsigned seen = 0;
  while (json.next() == JsonToken::key) {
    const auto member = static_cast<std::size_t>(std::ranges::find(members, json.text()) - members.begin());
    if (member == members.size()) {
      json.skip_value();
      continue;
    }
    const unsigned bit = 1U << member;
    if ((seen & bit) != 0) {
      context_.refuse_repeated(path(heap, members[member]),
                               fmt::format("the entry has a second `{}`, expected one", members[member]));
      // The second value may be the right one.
      heap.is_damaged = true;
      continue;
    }
    seen |= bit;
    json.next();
    read_member(heap, entry, member);
  }
  if ((seen & 1U) != 0 || json.token() == JsonToken::error) return;
  const Span span{entry.span.offset, json.span().end() - entry.span.offset};
  context_.report(rules::entry_size, span, path(heap), "the entry has no `size`, expected a number of bytes");
}

void HeapsReader::read_member(Heap& heap, PlacedEntry& entry, std::size_t member) {
  const core::JsonReader& json = context_.json;
  if (member == 0) entry.size = read_hex(heap, member);
  if (member == 1) entry.count = read_hex(heap, member);
  if (member < 2) return;
  if (member == 2 && json.token() == JsonToken::string && json.text().empty()) {
    entry.frame = empty_stack;
    return;
  }
  auto id = static_cast<std::uint32_t>(unreadable_stack);
  if (!context_.take_id(path(heap, members[member]), id)) heap.is_damaged = true;
  if (member == 2) entry.frame = FrameId{id};
  if (member == 3) entry.type = TypeId{id};
}

std::uint64_t HeapsReader::read_hex(const Heap& heap, std::size_t member) {
  const core::JsonReader& json = context_.json;
  if (json.token() != JsonToken::string) {
    context_.reject(path(heap, members[member]), "a string of hexadecimal digits");
    return no_value;
  }
  const auto value = grammar::hex_number(core::as_bytes(json.text()));
  if (value && *value != no_value) return *value;
  context_.report(rules::entry_hex, json.span(), path(heap, members[member]),
                  fmt::format("found `{}`, expected 1 to 16 hexadecimal digits and a value below 2^64 - 1",
                              core::make_excerpt(json.text())));
  return no_value;
}

void HeapsReader::append(Heap& heap, const PlacedEntry& entry) {
  const std::uint64_t at = entry.span.offset - heap.span.offset;
  Entries& entries = heap.entries;
  grow(entries, 1);
  entries.frame.push_back(entry.frame);
  entries.type.push_back(entry.type);
  entries.size.push_back(entry.size);
  entries.count.push_back(entry.count);
  entries.at.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(at, UINT32_MAX)));
  entries.length.push_back(
      static_cast<std::uint16_t>(std::min<std::uint64_t>(entry.span.length, UINT16_MAX)));
}

/// The path of the next entry, relative to the path of the heaps.
core::JsonPath HeapsReader::path(const Heap& heap, std::string_view member) const {
  return {entries_path_, heap.entries.row_count(), member};
}

bool HeapsReader::fits() { return context_.fits(bytes_ + allocators_.memory()); }

}  // namespace heapcheck::chrome::legacy
