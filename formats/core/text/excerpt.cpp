#include "formats/core/text/excerpt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "formats/core/text/utf8.hpp"

namespace heapcheck::core {
namespace {

constexpr std::string_view ellipsis = "...";

struct CodePoints {
  char32_t first;
  char32_t last;
};

/// Characters that affect the text around them or are invisible: the general categories Cc, Zl and Zp,
/// characters with the Unicode 15 property Default_Ignorable_Code_Point, and the controls for interlinear
/// annotations.
constexpr std::array harmful{
    CodePoints{0x0, 0x1F},        CodePoints{0x7F, 0x9F},       CodePoints{0xAD, 0xAD},
    CodePoints{0x34F, 0x34F},     CodePoints{0x61C, 0x61C},     CodePoints{0x115F, 0x1160},
    CodePoints{0x17B4, 0x17B5},   CodePoints{0x180B, 0x180F},   CodePoints{0x200B, 0x200F},
    CodePoints{0x2028, 0x202E},   CodePoints{0x2060, 0x206F},   CodePoints{0x3164, 0x3164},
    CodePoints{0xFE00, 0xFE0F},   CodePoints{0xFEFF, 0xFEFF},   CodePoints{0xFFA0, 0xFFA0},
    CodePoints{0xFFF0, 0xFFFB},   CodePoints{0x1BCA0, 0x1BCA3}, CodePoints{0x1D173, 0x1D17A},
    CodePoints{0xE0000, 0xE0FFF},
};

bool is_harmful(char32_t character) {
  const auto range = std::ranges::lower_bound(harmful, character, {}, &CodePoints::last);
  return range != harmful.end() && range->first <= character;
}

/// Removes the first byte from `text` and returns its escaped form.
std::string take_escaped(std::string_view& text) {
  const auto byte = static_cast<unsigned char>(text[0]);
  text.remove_prefix(1);
  return fmt::format("\\x{:02x}", byte);
}

/// Removes the first character from `text`, or only its first byte if the character cannot be shown
/// unchanged. Returns what was removed in the form in which it is shown.
std::string take_shown(std::string_view& text) {
  const std::size_t harmless = count_harmless(text);
  if (harmless == 0) return take_escaped(text);
  const std::string_view taken = text.substr(0, harmless);
  text.remove_prefix(harmless);
  return std::string(taken);
}

/// The offset of the `::` that makes a line beginning with `text` a command, or npos if there is none.
/// Programs skip white space before it, including white space that is not ASCII.
std::size_t find_command(std::string_view text) {
  const auto may_be_space = [](char c) { return c == ' ' || (static_cast<unsigned char>(c) & 0x80U) != 0; };
  const auto offset = static_cast<std::size_t>(std::ranges::find_if_not(text, may_be_space) - text.begin());
  return text.substr(offset).starts_with("::") ? offset : std::string_view::npos;
}

/// The beginning of some text in the form in which it is shown, and the rest of the text.
struct Opening {
  std::string shown;
  std::string_view rest;
};

Opening take_opening(std::string_view text, std::size_t max_bytes) {
  Opening opening{{}, text};
  const std::size_t command = find_command(text.substr(0, max_bytes));
  while (!opening.rest.empty()) {
    std::string_view rest = opening.rest;
    const bool is_command = text.size() - rest.size() == command;
    const std::string next = is_command ? take_escaped(rest) : take_shown(rest);
    if (next.size() > max_bytes - opening.shown.size()) break;
    opening.shown += next;
    opening.rest = rest;
  }
  return opening;
}

/// The end of `text`, shown in at most `max_bytes` bytes.
std::string find_ending(std::string_view text, std::size_t max_bytes) {
  text.remove_prefix(text.size() - std::min(text.size(), max_bytes));
  // If a character was cut off at the front, its remaining bytes would be shown one by one.
  for (int i = 0; i < 3 && !text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0U) == 0x80; ++i)
    text.remove_prefix(1);
  while (!take_opening(text, max_bytes).rest.empty()) take_shown(text);
  return take_opening(text, max_bytes).shown;
}

}  // namespace

std::size_t count_harmless(std::string_view text) {
  const auto character = decode_utf8(as_bytes(text));
  if (!character || is_harmful(character->code_point) || text.starts_with("##")) return 0;
  return character->byte_count;
}

std::string make_safe_path(std::string_view path) {
  const bool is_ambiguous = path.starts_with(':') || (path.starts_with('-') && path != "-");
  return (is_ambiguous ? "./" : "") + std::string(path);
}

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

std::string show_path(std::string_view path) { return make_excerpt(make_safe_path(path), SIZE_MAX); }

}  // namespace heapcheck::core
