#include "formats/chrome/legacy/reading.hpp"

#include <fmt/format.h>

#include <utility>

#include "formats/chrome/legacy/faults.hpp"
#include "formats/core/excerpt.hpp"
#include "formats/core/faults.hpp"
#include "formats/core/json/faults.hpp"

namespace heapcheck::chrome::legacy {

using core::JsonToken;

std::string Suffix::text() const {
  if (!row_) return std::string(key_);
  return fmt::format("/{}/entries/{}{}{}", escape_key(key_), *row_, member_.empty() ? "" : "/", member_);
}

void Reading::report(const Rule& rule, Span span, const Suffix& suffix, std::string message) const {
  core::report_lazily(*sink, rule,
                      [&] { return Finding{&rule, place->locate(span, suffix.text()), std::move(message)}; });
}

bool Reading::has_room(std::uint64_t bytes) const {
  const std::uint64_t used = budget->used + bytes + model->strings.memory() + model->ids.memory();
  return !budget->is_exceeded && used <= budget->max && !model->ids.is_full();
}

bool Reading::fits(std::uint64_t bytes) const {
  if (has_room(bytes)) return true;
  if (!budget->is_exceeded) {
    report(core::rules::limit_memory, {json->span().end(), 0}, {},
           fmt::format("heap dumps need more than the limit of {} bytes", budget->max));
  }
  budget->is_exceeded = true;
  return false;
}

void Reading::reject(const Suffix& suffix, std::string_view required) const {
  const JsonToken token = json->token();
  if (token == JsonToken::error) return;
  report(rules::value_type, json->span(), suffix,
         fmt::format("is {}, must be {}", describe_token(token), required));
  if (token == JsonToken::object_begin || token == JsonToken::array_begin) json->skip_rest();
}

bool Reading::enter_object(const Suffix& suffix) const {
  if (json->token() == JsonToken::object_begin) return true;
  reject(suffix, "an object");
  return false;
}

bool Reading::enter_array(const Suffix& suffix) const {
  if (json->token() == JsonToken::array_begin) return true;
  reject(suffix, "an array");
  return false;
}

bool Reading::take_id(const Suffix& suffix, std::uint32_t& id) const {
  const bool is_number = json->token() == JsonToken::number && json->is_integer();
  if (!is_number && json->token() != JsonToken::string) {
    reject(suffix, "a string");
    return false;
  }
  if (is_cut(suffix)) return false;
  if (is_number) {
    report(rules::id_number, json->span(), suffix,
           fmt::format("is the number {}, must be a string", core::make_excerpt(json->text())));
  }
  id = model->ids.intern(json->text());
  return true;
}

core::PoolIndex Reading::take_name(const Suffix& suffix) const {
  return model->strings.intern(is_cut(suffix) ? std::string_view() : json->text());
}

/// Whether the current text is longer than what is kept of it.
bool Reading::is_cut(const Suffix& suffix) const {
  if (!json->truncated_text()) return false;
  report(core::rules::limit_json_text, json->span(), suffix,
         fmt::format("a text of {} bytes is longer than what is kept", json->span().length));
  return true;
}

}  // namespace heapcheck::chrome::legacy
