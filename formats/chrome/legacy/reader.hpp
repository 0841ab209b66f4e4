// Reads the legacy heap dumps in a trace by collecting the values that the walker passes on. Owns the model
// in which they are collected. Uses memory for the columns of the model and of one event.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "formats/chrome/legacy/context.hpp"
#include "formats/chrome/legacy/model.hpp"
#include "formats/chrome/payload.hpp"
#include "formats/chrome/values_ahead.hpp"
#include "formats/core/keyed_hash.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::chrome::legacy {

class LegacyReader final : public PayloadReader {
 public:
  explicit LegacyReader(const Limits& limits);
  LegacyReader(const LegacyReader&) = delete;
  LegacyReader& operator=(const LegacyReader&) = delete;
  ~LegacyReader() override = default;

  [[nodiscard]] bool reads(Payload payload) const override {
    return payload == Payload::heaps || payload == Payload::stack_frames || payload == Payload::type_names;
  }
  /// Reports violations of the rules in faults.hpp, duplicate members, and limits. Nothing more is kept after
  /// a limit has been reached.
  void read(Payload payload, core::JsonReader& json, const core::JsonPlace& place,
            core::FindingSink& sink) override;
  void forget(Payload payload) override;
  void finish_event(const EventHead& head, bool is_kept, core::FindingSink& sink) override;

  /// The dumps and names of the events read so far.
  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] Model& model() { return model_; }
  /// Whether something is missing from the model because of Limits::max_memory.
  [[nodiscard]] bool is_out_of_memory() const { return memory_.is_spent(); }
  /// The number of values that were read before their turn.
  [[nodiscard]] std::uint64_t count_ahead() const { return ahead_.taken(); }

 private:
  /// A value that was read before its turn, with its own ids and names.
  struct Ahead {
    Model texts;
    std::uint64_t most_memory = 0;  // the memory needed to read it, in bytes
    std::optional<Dump> dump;
    std::optional<Frames> frames;
  };

  static Ahead read_ahead(std::size_t key, core::JsonReader& json, core::FindingSink& sink,
                          const Limits& limits);
  void take_texts(Ahead& ahead);
  bool take_ahead(Payload payload, core::JsonReader& json, const core::JsonPlace& place);
  Process& find_process(const EventHead& head);

  Model model_;
  ValuesAhead<Ahead> ahead_;
  core::MemoryBudget memory_;
  std::unordered_map<std::int64_t, std::size_t, core::KeyedHash>
      places_;  // the indices of processes in the model, by pid

  // The values from the event that is being read.
  std::optional<Dump> dump_;
  std::optional<Frames> frames_;
  std::optional<Types> types_;
};

}  // namespace heapcheck::chrome::legacy
