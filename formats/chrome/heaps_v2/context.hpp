// State shared by the parts of the reader: the context that all JSON formats need, the pool for names, and
// functions that take values from the JSON and report faults in them. Borrows everything.
#pragma once

#include <cstdint>
#include <optional>

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

  /// Takes memory, or reports limit.memory once; nothing more may be kept after that.
  bool take_memory(std::uint64_t byte_count, const core::JsonPath& path) const {
    return JsonContext::take_memory(byte_count, json.span(), path);
  }

  /// Moves to the next value, which must begin with `required`. A value of a different type is reported and
  /// skipped. Returns false in that case, or if the JSON is broken.
  [[nodiscard]] bool enter(core::JsonToken required, const core::JsonPath& path) const;
  /// Reports that the current token begins a value of the wrong type, and skips that value.
  void refuse_type(core::JsonToken required, const core::JsonPath& path) const;
  /// Reports that an object has a second member with the current key, and skips its value.
  void refuse_repeated(const core::JsonPath& path) const {
    JsonContext::refuse_repeated(path, "found a second member of this name, expected one");
  }
  /// Returns the current token as an integer. If it is not an integer, reports that and returns an empty
  /// value.
  [[nodiscard]] std::optional<std::uint64_t> take_integer(const core::JsonPath& path) const;
};

}  // namespace heapcheck::chrome::heaps_v2
