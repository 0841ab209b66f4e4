#include "formats/core/excerpt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/core/utf8.hpp"

namespace heapcheck::core {
namespace {

constexpr std::string_view ellipsis = "...";

bool is_control(char32_t character) { return character < 0x20 || (character >= 0x7F && character < 0xA0); }

/// Removes the first character from `text`, or the first byte if that is not part of a character, and returns
/// the form in which it is shown.
std::string take_shown(std::string_view& text) {
  const auto character = decode_utf8(as_bytes(text));
  const bool is_shown = character && !is_control(character->code_point);
  const std::size_t length = is_shown ? character->byte_count : 1;
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(length);
  return is_shown ? std::string(taken) : fmt::format("\\x{:02x}", static_cast<unsigned char>(taken[0]));
}

/// The beginning of a text as it is shown, and the rest of the text.
struct Opening {
  std::string shown;
  std::string_view rest;
};

Opening take_opening(std::string_view text, std::size_t max_bytes) {
  Opening opening{{}, text};
  while (!opening.rest.empty()) {
    std::string_view rest = opening.rest;
    const std::string next = take_shown(rest);
    if (next.size() > max_bytes - opening.shown.size()) break;
    opening.shown += next;
    opening.rest = rest;
  }
  return opening;
}

/// The end of `text`, shown in at most `max_bytes`.
std::string find_ending(std::string_view text, std::size_t max_bytes) {
  text.remove_prefix(text.size() - std::min(text.size(), max_bytes));
  // If a character was cut off at the front, its remaining bytes would be shown one by one.
  for (int i = 0; i < 3 && !text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0U) == 0x80; ++i)
    text.remove_prefix(1);
  while (!take_opening(text, max_bytes).rest.empty()) take_shown(text);
  return take_opening(text, max_bytes).shown;
}

}  // namespace

std::string make_excerpt(std::string_view text, std::size_t max_bytes) {
  const Opening whole = take_opening(text, max_bytes);
  if (whole.rest.empty()) return whole.shown;
  const std::size_t half = max_bytes / 2;
  return fmt::format("{}{}{} ({} bytes)", take_opening(text, max_bytes - half).shown, ellipsis,
                     find_ending(text, half), text.size());
}

std::string shorten(std::string_view text, std::size_t max_bytes) {
  Opening whole = take_opening(text, max_bytes);
  if (whole.rest.empty()) return std::move(whole.shown);
  const std::size_t room = max_bytes - std::min(max_bytes, ellipsis.size());
  return take_opening(text, room - room / 2).shown.append(ellipsis) + find_ending(text, room / 2);
}

std::string make_opening(std::string_view text, std::size_t max_bytes) {
  std::string opening;
  while (!text.empty() && opening.size() < max_bytes) opening += take_shown(text);
  return text.empty() ? opening : opening.append(ellipsis);
}

}  // namespace heapcheck::core
