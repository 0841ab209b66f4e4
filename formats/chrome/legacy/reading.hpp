// What the parts of the legacy reader share while they read one value: the JSON, its place, the model that
// ids and names go to, and the memory that may be used. Borrows all of it.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/chrome/legacy/model.hpp"
#include "formats/chrome/place.hpp"
#include "formats/core/finding_sink.hpp"
#include "formats/core/json/reader.hpp"

namespace heapcheck::chrome::legacy {

/// Memory of columns: what may be used, and what the parts that are finished use.
struct Budget {
  std::uint64_t max = 0;
  std::uint64_t used = 0;
  bool is_exceeded = false;
};

/// A path below that of a value: a text, or a place in an allocator's entries, which becomes text where a
/// finding is wanted only: names of allocators can be long. Borrows what it is made of.
class Suffix {
 public:
  Suffix() = default;
  template <class Text>
    requires std::convertible_to<const Text&, std::string_view>
  Suffix(const Text& text) : key_(text) {}  // NOLINT(google-explicit-constructor)
  Suffix(std::string_view allocator, std::uint64_t row, std::string_view member)
      : key_(allocator), row_(row), member_(member) {}

  [[nodiscard]] std::string text() const;

 private:
  std::string_view key_;
  std::optional<std::uint64_t> row_;
  std::string_view member_;
};

struct Reading {
  core::JsonReader* json;
  const Place* place;
  core::FindingSink* sink;
  Model* model;
  Budget* budget;

  /// The same, with another sink.
  [[nodiscard]] Reading with(core::FindingSink& other) const { return {json, place, &other, model, budget}; }

  /// A finding below the value's path.
  void report(const Rule& rule, Span span, const Suffix& suffix, std::string message) const;

  /// Whether `bytes` more than what is used fit.
  [[nodiscard]] bool has_room(std::uint64_t bytes) const;
  /// The same; reports the limit once where not, and nothing fits from then on.
  [[nodiscard]] bool fits(std::uint64_t bytes) const;

  /// Whether the current token opens an object; otherwise reports that it must, and steps over the value.
  [[nodiscard]] bool enter_object(const Suffix& suffix) const;
  /// The same of an array.
  [[nodiscard]] bool enter_array(const Suffix& suffix) const;
  /// Reports the current value, which must be `required`, and steps over it.
  void reject(const Suffix& suffix, std::string_view required) const;

  /// The current value as an id: a string, or an integer, which is reported. False where it is none.
  [[nodiscard]] bool take_id(const Suffix& suffix, std::uint32_t& id) const;

  /// The name that the current string is; reports a limit where it is too long to be kept.
  [[nodiscard]] core::PoolIndex take_name(const Suffix& suffix) const;

 private:
  [[nodiscard]] bool is_cut(const Suffix& suffix) const;
};

}  // namespace heapcheck::chrome::legacy
