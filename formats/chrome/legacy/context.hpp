// The state that the parts of the legacy reader share while they read one value: the context that all JSON
// formats need, and the model that receives ids and names. Borrows everything.
#pragma once

#include <cstdint>
#include <string_view>

#include "formats/chrome/legacy/model.hpp"
#include "formats/core/json/context.hpp"

namespace heapcheck::chrome::legacy {

class Context : public core::JsonContext {
 public:
  Context(core::JsonReader& reader, const core::JsonPlace& at, core::FindingSink& to_sink, Model& to_model,
          core::MemoryBudget& budget)
      : JsonContext(reader, to_sink, budget, "the heap dumps need more memory than the limit of {} bytes",
                    at),
        model(to_model) {}

  /// The same context with a different sink.
  [[nodiscard]] Context with(core::FindingSink& other) const { return {json, place, other, model, memory}; }

  Model& model;

  /// Returns whether another `bytes` bytes fit in memory.
  [[nodiscard]] bool has_room(std::uint64_t bytes) const { return memory.has_room(with_texts(bytes)); }
  /// Does the same, but if the bytes do not fit, reports the limit once. From then on, nothing fits.
  [[nodiscard]] bool fits(std::uint64_t bytes) const {
    return fits_memory(with_texts(bytes), {json.span().end(), 0}, {});
  }

  /// Returns whether the current token is `required`, a token that opens an object or an array. If it is not,
  /// reports that and skips the value.
  [[nodiscard]] bool is_at(core::JsonToken required, const core::JsonPath& path) const;
  /// Reports that the current value is not `required`, and skips it.
  void reject(const core::JsonPath& path, std::string_view required) const;

  /// Reads the current value as an id, which is a string or an integer. Reports an integer. Returns false if
  /// the value is neither.
  [[nodiscard]] bool take_id(const core::JsonPath& path, std::uint32_t& id) const;

  /// Returns the current string as a name. Reports a limit if it is too long to be kept.
  [[nodiscard]] core::PoolIndex take_name(const core::JsonPath& path) const;

 private:
  [[nodiscard]] std::uint64_t with_texts(std::uint64_t bytes) const;
  [[nodiscard]] bool is_cut(const core::JsonPath& path) const;
};

/// These functions read the value of a `stackFrames` or `typeNames` metadata event, which contains the names
/// of frames or types by id. If the JSON is broken, the result may be incomplete. spec:
/// chrome/legacy.md#frames, #types
Frames read_frames(const Context& context);
Types read_types(const Context& context);
/// The number of bytes of memory that the columns take up.
std::uint64_t memory(const Frames& frames);
std::uint64_t memory(const Types& types);

}  // namespace heapcheck::chrome::legacy
