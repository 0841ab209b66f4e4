// The state that the parts of a JSON format's reader share: the JSON that they read, its place, the sink for
// findings, and the remaining memory. Each format derives its own context from the class below. Borrows
// everything.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "formats/core/faults.hpp"
#include "formats/core/finding_sink.hpp"
#include "formats/core/json/faults.hpp"
#include "formats/core/json/place.hpp"
#include "formats/core/json/reader.hpp"
#include "formats/core/memory_budget.hpp"

namespace heapcheck::core {

/// Skips the rest of the array or object that the current token begins, if it begins one.
inline void skip_nested(JsonReader& json) {
  if (json.token() == JsonToken::object_begin || json.token() == JsonToken::array_begin) json.skip_rest();
}

/// The place of a document that is not inside another document.
inline const JsonPlace whole_document;

class JsonContext {
 public:
  /// `over_memory` is the message of limit.memory, with `{}` in place of the limit in bytes.
  JsonContext(JsonReader& reader, FindingSink& to_sink, MemoryBudget& budget, std::string_view over_memory,
              const JsonPlace& at = whole_document)
      : json(reader), sink(to_sink), memory(budget), place(at), over_memory_(over_memory) {}

  JsonReader& json;
  FindingSink& sink;
  MemoryBudget& memory;
  const JsonPlace& place;

  /// Reports the bytes in `span` at a path below that of the place. `path` is a JsonPath or a function that
  /// returns the path as text. Only counts the finding if no further findings of its rule are wanted.
  template <class Path = JsonPath>
  void report(const Rule& rule, Span span, const Path& path, std::string message) const {
    report_lazily(sink, rule,
                  [&] { return Finding{&rule, place.locate(span, make_text(path)), std::move(message)}; });
  }

  /// Returns whether another `byte_count` bytes fit. Reports the limit the first time that they do not.
  template <class Path = JsonPath>
  [[nodiscard]] bool fits_memory(std::uint64_t byte_count, Span span, const Path& path) const {
    const bool was_spent = memory.is_spent();
    if (memory.fits(byte_count)) return true;
    if (!was_spent) report_over_memory(span, make_text(path));
    return false;
  }
  /// Does the same, but also takes the bytes if they fit.
  template <class Path = JsonPath>
  bool take_memory(std::uint64_t byte_count, Span span, const Path& path) const {
    if (!fits_memory(byte_count, span, path)) return false;
    memory.take(byte_count);
    return true;
  }

  void skip_nested() const { core::skip_nested(json); }
  /// Reports the value that the current token begins, and skips it.
  template <class Path = JsonPath>
  void refuse(const Rule& rule, const Path& path, std::string message) const {
    report(rule, json.span(), path, std::move(message));
    skip_nested();
  }
  /// Reports the current token as a key that the object already has.
  template <class Path = JsonPath>
  void report_repeated(const Path& path, std::string message) const {
    report(rules::json_object_duplicate_key, json.span(), path, std::move(message));
  }
  /// Does the same, but also skips the key's value.
  template <class Path = JsonPath>
  void refuse_repeated(const Path& path, std::string message) const {
    report_repeated(path, std::move(message));
    json.skip_value();
  }
  /// Reports the JSON reader's error; there must be one.
  template <class Path = JsonPath>
  void report_error(const Path& path) const {
    report(rule_of(json.error()->kind), span_of(*json.error()), path, json.error()->message);
  }

 private:
  static std::string make_text(const JsonPath& path) { return path.text(); }
  template <std::invocable Make>
  static std::string make_text(const Make& make) {
    return make();
  }
  void report_over_memory(Span span, const std::string& path) const {
    std::string message(over_memory_);
    message.replace(message.find("{}"), 2, std::to_string(memory.max()));
    report(rules::limit_memory, span, path, std::move(message));
  }

  std::string_view over_memory_;
};

}  // namespace heapcheck::core
