// Placeholders are strings that replace content that was lost when a damaged dump was recovered. They cannot
// be mistaken for real names.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace heapcheck::mvmheap {

/// The kinds of placeholders: `<string 17>`, `<type 5>`, `<frame 9>`, or `<lost snapshots 2>` for rows that
/// were used only by snapshots that were left out.
namespace placeholder {
inline constexpr std::string_view string = "string";
inline constexpr std::string_view type = "type";
inline constexpr std::string_view frame = "frame";
inline constexpr std::string_view snapshots = "lost snapshots";
inline constexpr std::array all{string, type, frame, snapshots};
}  // namespace placeholder

/// The placeholder `<what number>`.
inline std::string make_placeholder(std::string_view what, std::uint64_t number) {
  return std::string("<").append(what).append(" ").append(std::to_string(number)).append(">");
}

/// Whether `name` is a placeholder, or a placeholder followed by apostrophes that make it unique.
inline bool is_placeholder(std::string_view name) {
  return std::ranges::any_of(placeholder::all, [&](std::string_view what) {
    if (!name.starts_with('<') || !name.substr(1).starts_with(what)) return false;
    const std::string_view rest = name.substr(what.size() + 1);
    const std::size_t end = std::min(rest.find_first_not_of("0123456789", 1), rest.size());
    return rest.starts_with(' ') && end > 1 && rest.substr(end).starts_with('>') &&
           rest.find_first_not_of('\'', end + 1) == std::string_view::npos;
  });
}

}  // namespace heapcheck::mvmheap
