// What the parts of the reader share: beside what all JSON formats need, the pool that names go to; and
// values taken from the JSON with the findings that go with them. Borrows everything.
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
      : JsonContext(reader, to_sink, budget, "the heaps of the trace take more than --max-memory", at),
        strings(pool) {}

  core::StringPool& strings;

  /// Takes memory, or reports limit.memory, once; then nothing may be kept any more.
  bool take_memory(std::uint64_t byte_count, const core::JsonPath& path) const {
    return JsonContext::take_memory(byte_count, json.span(), path);
  }

  /// Goes to the next value, which must be an object or array. False: it was another, is stepped over, and a
  /// finding says so; or the JSON is broken.
  [[nodiscard]] bool enter(core::JsonToken required, const core::JsonPath& path) const;
  /// Reports that the current token begins a value of a wrong type, and steps over that value.
  void refuse_type(core::JsonToken required, const core::JsonPath& path) const;
  /// Reports that an object has the member of the current key twice, and steps over the value.
  void refuse_repeated(const core::JsonPath& path) const {
    JsonContext::refuse_repeated(path, "a second member of that name; a member must occur once");
  }
  /// The current token as an integer; empty with a finding where it is none.
  [[nodiscard]] std::optional<std::uint64_t> take_integer(const core::JsonPath& path) const;
};

}  // namespace heapcheck::chrome::heaps_v2
