// What the parts of the reader share: in addition to what all JSON formats need, the pool that names go to,
// and functions that take values from the JSON and report what is wrong with them. Borrows everything.
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

  /// Takes memory, or reports limit.memory once; after that nothing more may be kept.
  bool take_memory(std::uint64_t byte_count, const core::JsonPath& path) const {
    return JsonContext::take_memory(byte_count, json.span(), path);
  }

  /// Goes to the next value, which must be an object or array. Returns false if it is another value, which is
  /// then reported and skipped, or if the JSON is broken.
  [[nodiscard]] bool enter(core::JsonToken required, const core::JsonPath& path) const;
  /// Reports that the current token begins a value of the wrong type, and skips that value.
  void refuse_type(core::JsonToken required, const core::JsonPath& path) const;
  /// Reports that an object has the member of the current key twice, and skips the value.
  void refuse_repeated(const core::JsonPath& path) const {
    JsonContext::refuse_repeated(path, "found a second member of this name, expected one");
  }
  /// The current token as an integer. If it is not an integer, reports that and returns an empty value.
  [[nodiscard]] std::optional<std::uint64_t> take_integer(const core::JsonPath& path) const;
};

}  // namespace heapcheck::chrome::heaps_v2
