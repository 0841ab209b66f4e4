// Reads the `heaps_v2` objects of a trace, the `heap_profile` event that was proposed before them, and the
// corresponding sizes in `allocators`. The input consists of the values that a walker passes on, and the
// output of a Model and findings. Owns the model until it is taken. The memory for the model is limited by
// Limits::max_memory.
#pragma once

#include "formats/chrome/heaps_v2/context.hpp"
#include "formats/chrome/heaps_v2/model.hpp"
#include "formats/chrome/payload.hpp"
#include "formats/chrome/values_ahead.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::chrome::heaps_v2 {

class HeapsV2Reader final : public PayloadReader {
 public:
  explicit HeapsV2Reader(const Limits& limits);
  HeapsV2Reader(const HeapsV2Reader&) = delete;
  HeapsV2Reader& operator=(const HeapsV2Reader&) = delete;
  ~HeapsV2Reader() override = default;

  [[nodiscard]] bool reads(Payload payload) const override {
    return payload == Payload::heaps_v2 || payload == Payload::heap_profile || payload == Payload::allocators;
  }
  void read(Payload payload, core::JsonReader& json, const core::JsonPlace& place,
            core::FindingSink& sink) override;
  void forget(Payload payload) override;
  void finish_event(const EventHead& head, bool is_kept, core::FindingSink& sink) override;

  /// The dumps of the events that were kept so far.
  [[nodiscard]] const Model& model() const { return model_; }
  /// Moves the model out. Nothing more may be read after this.
  [[nodiscard]] Model take_model() { return std::move(model_); }
  /// Whether something is missing from the model because of Limits::max_memory.
  [[nodiscard]] bool is_out_of_memory() const { return memory_.is_spent(); }
  /// The number of dumps that were read before their turn.
  [[nodiscard]] std::uint64_t count_ahead() const { return ahead_.taken(); }

 private:
  /// A dump that was read before its turn, and the data that belongs to it.
  struct DumpAhead {
    Dump dump;
    core::StringPool strings;
    std::uint64_t memory = 0;
  };

  static DumpAhead read_ahead(std::size_t key, core::JsonReader& json, core::FindingSink& sink,
                              const Limits& limits);
  void take_strings(DumpAhead& ahead);
  bool take_ahead(core::JsonReader& json, const core::JsonPlace& place);

  Model model_;
  ValuesAhead<DumpAhead> ahead_;
  // The dump in the event that is being read, and the event's dump in the proposed form.
  Dump dump_;
  Dump proposal_;
  bool has_heaps_ = false;
  bool has_proposal_ = false;
  core::MemoryBudget memory_;
  std::uint64_t taken_before_ = 0;  // the memory that had been taken when the event began
  bool in_event_ = false;
};

}  // namespace heapcheck::chrome::heaps_v2
