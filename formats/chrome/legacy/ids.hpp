// The ids of stack frames and types. In a file, ids are opaque strings: usually decimal numbers, or strings
// such as `0#17` in merged traces. Here, each id is represented by a number, and equal ids have equal
// numbers. Owns the strings. spec: chrome/legacy.md#ids
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/core/keyed_hash.hpp"
#include "formats/core/string_pool.hpp"

namespace heapcheck::chrome::legacy {

/// The id of a stack frame.
enum class FrameId : std::uint32_t {};
/// The id of a type.
enum class TypeId : std::uint32_t {};

/// The lowest number that represents an id that is not a number in the file. Subtracting it from the number
/// that represents such an id yields the index of the id's string in the pool. Lower numbers represent ids
/// that are the same numbers in the file.
inline constexpr std::uint32_t first_text_id = std::uint32_t{1} << 31;

/// The empty stack, which is written as `""` in an entry. As the parent of a frame, it means that the frame
/// has no parent.
inline constexpr FrameId empty_stack{UINT32_MAX};
/// The stack of an entry without a `bt` member.
inline constexpr FrameId no_stack{UINT32_MAX - 1};
/// The stack of an entry whose stack could not be read.
inline constexpr FrameId unreadable_stack{UINT32_MAX - 2};
/// The type of an entry without a `type` member. Such an entry covers all types.
inline constexpr TypeId all_types{UINT32_MAX};
/// The type of an entry whose type could not be read.
inline constexpr TypeId unreadable_type{UINT32_MAX - 2};

class IdPool {
 public:
  /// Returns the number for the id `text`. This is the value of the id if the id is a canonical decimal
  /// number below first_text_id, and otherwise a number that represents its string.
  std::uint32_t intern(std::string_view text);

  /// The numbers that this pool uses for the ids of another pool that are not numbers in the file, in the
  /// order in which these ids were added to the other pool.
  std::vector<std::uint32_t> intern_all(const IdPool& other);

  /// Appends the string of an id to `out`; appends nothing for the constants above.
  void append(std::uint32_t id, std::string& out) const;
  [[nodiscard]] std::string text(FrameId id) const { return text(static_cast<std::uint32_t>(id)); }
  [[nodiscard]] std::string text(TypeId id) const { return text(static_cast<std::uint32_t>(id)); }

  /// Returns whether no numbers are left for new strings.
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

/// Finds the row of an id in constant time. The ids come from an IdPool and are added one by one. Memory use
/// grows with the number of ids, regardless of their values.
class IdIndex {
 public:
  /// Records that `row` has `id`. Returns false and changes nothing if a row already has that id.
  bool add(std::uint32_t id, std::uint32_t row);
  /// The row + 1 of an id that is a number in the file, or 0 if find() may know more. Without branches,
  /// because in entries, ids alternate with the constants above.
  [[nodiscard]] std::uint32_t guess(std::uint32_t id) const {
    constexpr std::uint32_t unknown = 0;
    const Table& table = tables_[0];
    return *(id < table.size() ? &table[id] : &unknown);
  }
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint32_t id) const {
    const Table& table = tables_[table_of(id)];
    const std::size_t place = place_of(id);
    if (place < table.size() && table[place] != 0) return table[place] - 1;
    return others_.empty() ? std::nullopt : find_other(id);
  }

 private:
  using Table = std::vector<std::uint32_t>;  // the row + 1, by id; 0 if there is no row

  static std::size_t table_of(std::uint32_t id) { return id / first_text_id; }
  static std::uint32_t place_of(std::uint32_t id) { return id % first_text_id; }
  [[nodiscard]] std::optional<std::uint32_t> find_other(std::uint32_t id) const;

  // One table is for ids that are numbers, and the other for ids that are strings; both are dense.
  std::array<Table, 2> tables_;
  std::unordered_map<std::uint32_t, std::uint32_t, core::KeyedHash> others_;
  std::uint64_t count_ = 0;
};

/// The rows of `ids`, which is a column of FrameId or TypeId. If several rows have the same id, the first row
/// is used.
template <class Id>
IdIndex make_index(const std::vector<Id>& ids) {
  IdIndex index;
  for (std::uint32_t row = 0; row < ids.size(); ++row) index.add(static_cast<std::uint32_t>(ids[row]), row);
  return index;
}

}  // namespace heapcheck::chrome::legacy
