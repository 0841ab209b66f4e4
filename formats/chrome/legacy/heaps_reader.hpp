// Reads a `heaps` object, which contains allocators and their entries. The input is a JsonReader positioned
// before the value. The output consists of heaps, and of findings about parts that cannot be read. spec:
// chrome/legacy.md#object
#pragma once

#include <string>
#include <vector>

#include "formats/chrome/legacy/context.hpp"
#include "formats/chrome/legacy/leaf.hpp"
#include "formats/chrome/legacy/model.hpp"
#include "formats/core/string_pool.hpp"

namespace heapcheck::chrome::legacy {

class HeapsReader {
 public:
  explicit HeapsReader(const Context& context) : context_(context) {}

  /// Reads the next value into a dump without a head. If the JSON is broken, the dump may be incomplete.
  Dump read();

 private:
  struct PlacedEntry : Entry {
    Span span;
  };

  void read_heap();
  void read_entries(Heap& heap);
  bool take_run(Heap& heap);
  void read_entry(Heap& heap);
  void read_members(Heap& heap, PlacedEntry& entry);
  void read_member(Heap& heap, PlacedEntry& entry, std::size_t member);
  std::uint64_t read_hex(const Heap& heap, std::size_t member);
  void append(Heap& heap, const PlacedEntry& entry);
  [[nodiscard]] core::JsonPath path(const Heap& heap, std::string_view member = {}) const;
  [[nodiscard]] bool fits();

  Context context_;
  core::StringPool allocators_;
  std::vector<Heap> heaps_;
  std::uint64_t bytes_ = 0;   // the memory that the finished heaps in heaps_ take up
  std::string entries_path_;  // the path for the allocator that is being read, relative to the path of the
                              // heaps
  EntryBlock block_;
};

}  // namespace heapcheck::chrome::legacy
