// Names and special values in V8 sampling heap profiles. spec: v8/heapprofile.md#members
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace heapcheck::v8::heapprofile {

/// The function name of the tree's root.
inline constexpr std::string_view root_name = "(root)";
/// The script id used for functions without a script.
inline constexpr std::string_view no_script = "0";
/// The number used for an unknown line or column.
inline constexpr std::int32_t unknown_position = -1;

enum class NodeMember : std::uint8_t { call_frame, self_size, id, children };
inline constexpr std::array<std::string_view, 4> node_members{"callFrame", "selfSize", "id", "children"};

enum class FrameMember : std::uint8_t { function_name, script_id, url, line_number, column_number };
inline constexpr std::array<std::string_view, 5> frame_members{"functionName", "scriptId", "url",
                                                               "lineNumber", "columnNumber"};

enum class SampleMember : std::uint8_t { size, node_id, ordinal };
inline constexpr std::array<std::string_view, 3> sample_members{"size", "nodeId", "ordinal"};

/// The member with that name in one of the lists above.
template <class Member, std::size_t count>
constexpr std::optional<Member> find_member(const std::array<std::string_view, count>& names,
                                            std::string_view name) {
  for (std::size_t i = 0; i < count; ++i) {
    if (names[i] == name) return static_cast<Member>(i);
  }
  return std::nullopt;
}

/// A set of members from one list.
template <class Member>
class MemberSet {
 public:
  /// Adds `member`, and returns whether it is new.
  constexpr bool add(Member member) {
    const bool is_new = !has(member);
    bits_ = static_cast<std::uint8_t>(bits_ | bit(member));
    return is_new;
  }
  [[nodiscard]] constexpr bool has(Member member) const { return (bits_ & bit(member)) != 0; }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }

 private:
  static constexpr std::uint8_t bit(Member member) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(member));
  }
  std::uint8_t bits_ = 0;
};

}  // namespace heapcheck::v8::heapprofile
