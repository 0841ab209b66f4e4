// Ids of stack frames and types. In a file they are opaque strings: usually decimal numbers, or strings such
// as `0#17` in merged traces. Here each id is a number, and equal ids have the same number. Owns the strings.
// spec: chrome/legacy.md#ids
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/core/string_pool.hpp"

namespace heapcheck::chrome::legacy {

/// The id of a stack frame.
enum class FrameId : std::uint32_t {};
/// The id of a type.
enum class TypeId : std::uint32_t {};

/// The lowest number of an id that is not a number in the file. Subtracting it from the number of such an id
/// gives the index of the id's string in the pool. Lower numbers are ids that are the same numbers in the
/// file.
inline constexpr std::uint32_t first_text_id = std::uint32_t{1} << 31;

/// The empty stack, `""` in an entry. As the parent of a frame: no parent.
inline constexpr FrameId empty_stack{UINT32_MAX};
/// The stack of an entry without a member `bt`.
inline constexpr FrameId no_stack{UINT32_MAX - 1};
/// The stack of an entry whose stack could not be read.
inline constexpr FrameId unreadable_stack{UINT32_MAX - 2};
/// The type of an entry without a member `type`, which is for all types.
inline constexpr TypeId all_types{UINT32_MAX};
/// The type of an entry whose type could not be read.
inline constexpr TypeId unreadable_type{UINT32_MAX - 2};

class IdPool {
 public:
  /// Returns the number of the id `text`: its value if it is a canonical decimal number below first_text_id,
  /// otherwise a number that stands for its string.
  std::uint32_t intern(std::string_view text);

  /// The number here of each id of another pool that is not a number in the file, in the order in which they
  /// were added to that pool.
  std::vector<std::uint32_t> intern_all(const IdPool& other);

  /// Appends the string of an id to `out`; appends nothing for the constants above.
  void append(std::uint32_t id, std::string& out) const;
  [[nodiscard]] std::string text(FrameId id) const { return text(static_cast<std::uint32_t>(id)); }
  [[nodiscard]] std::string text(TypeId id) const { return text(static_cast<std::uint32_t>(id)); }

  /// Returns whether there are no numbers left for new strings.
  [[nodiscard]] bool is_full() const { return texts_.count() >= first_text_id - 16; }
  [[nodiscard]] std::uint64_t memory() const { return texts_.memory(); }

 private:
  [[nodiscard]] std::string text(std::uint32_t id) const {
    std::string out;
    append(id, out);
    return out;
  }

  core::StringPool texts_;
};

}  // namespace heapcheck::chrome::legacy
