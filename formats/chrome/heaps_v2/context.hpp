// The readers for the parts of a dump, and the state that they share: the context that all JSON formats need,
// the pool for names, and functions that take values from the JSON and report faults in those values. Borrows
// everything.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/chrome/heaps_v2/model.hpp"
#include "formats/core/json/context.hpp"
#include "formats/core/string_pool.hpp"

namespace heapcheck::chrome::heaps_v2 {

class Context : public core::JsonContext {
 public:
  Context(core::JsonReader& reader, const core::JsonPlace& at, core::FindingSink& to_sink,
          core::MemoryBudget& budget, core::StringPool& pool)
      : JsonContext(reader, to_sink, budget, "the heap dumps need more memory than the limit of {} bytes",
                    at),
        strings(pool) {}

  core::StringPool& strings;

  /// Takes memory. If there is not enough, reports limit.memory once; nothing more may be kept after that.
  bool take_memory(std::uint64_t byte_count, const core::JsonPath& path) const {
    return JsonContext::take_memory(byte_count, json.span(), path);
  }

  /// Moves to the next value, which must begin with the `required` token. Reports and skips a value of a
  /// different type. Returns false in that case or if the JSON is broken.
  [[nodiscard]] bool enter(core::JsonToken required, const core::JsonPath& path) const;
  /// Reports that the current token begins a value of the wrong type, and skips that value.
  void refuse_type(core::JsonToken required, const core::JsonPath& path) const;
  /// Reports that an object has a second member with the current key, and skips its value.
  void refuse_repeated(const core::JsonPath& path) const {
    JsonContext::refuse_repeated(path, "found a second member of this name, expected one");
  }
  /// Returns the current token as an integer. If it is not an integer, reports that and returns nothing.
  [[nodiscard]] std::optional<std::uint64_t> take_integer(const core::JsonPath& path) const;
};

/// Reads the rest of an allocator's object after its opening brace; `prefix` is the path of the object. An
/// allocator consists of four columns of numbers or, in a form that some tools accept, of an array of row
/// objects.
void read_heap(const Context& context, std::string_view prefix, Heap& heap);

/// Reads the next value, which should be the `maps` object. Rows in the form that Chrome writes are read by
/// leaf parsers, and all other rows are read token by token.
void read_maps(const Context& context, Dump& dump);

/// Reads the next value, which should be the `allocators` object in `args.dumps`. Returns the allocators that
/// have a size in bytes, in file order. The object contains a lot of data for other readers, so anything in a
/// different form is skipped without a finding.
std::vector<Total> read_totals(const Context& context);

}  // namespace heapcheck::chrome::heaps_v2
