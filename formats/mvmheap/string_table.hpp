// The string table that all snapshots of a MoarVM dump share, and the index types of all tables. The table
// owns its text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heapcheck::mvmheap {

/// Indices into tables. Each table has its own index type, because confusing indices is a classic bug.
enum class StringIndex : std::uint64_t {};
enum class TypeIndex : std::uint64_t {};
enum class FrameIndex : std::uint64_t {};

/// Names in UTF-8, stored one directly after another.
class StringTable {
 public:
  void add(std::string_view text) {
    text_.append(text);
    ends_.push_back(text_.size());
  }
  void append(const StringTable& other) {
    for (std::uint64_t i = 0; i < other.count(); ++i) add(other[StringIndex{i}]);
  }
  [[nodiscard]] std::uint64_t count() const { return ends_.size(); }
  [[nodiscard]] std::string_view operator[](StringIndex index) const {
    const auto i = static_cast<std::size_t>(index);
    const std::size_t start = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(text_).substr(start, ends_[i] - start);
  }
  /// Shortens the table to its first `count` strings.
  void truncate(std::uint64_t count) {
    if (count >= ends_.size()) return;
    text_.resize(static_cast<std::size_t>(text_before(StringIndex{count})));
    ends_.resize(static_cast<std::size_t>(count));
  }
  /// The total length in bytes of the strings before `index`.
  [[nodiscard]] std::uint64_t text_before(StringIndex index) const {
    const auto i = static_cast<std::size_t>(index);
    return i == 0 ? 0 : ends_[i - 1];
  }
  [[nodiscard]] std::uint64_t memory() const {
    return text_.capacity() + ends_.capacity() * sizeof(std::size_t);
  }
  friend bool operator==(const StringTable&, const StringTable&) = default;

 private:
  std::string text_;
  std::vector<std::size_t> ends_;
};

/// Names that occur a second time because part of the file was duplicated. As a result, all later names have
/// indices that are too large. Once these names are removed, each string occurs only once.
struct RepeatedNames {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// Finds strings that repeat the strings directly before them. There may be one other string in between,
/// which is an artefact of where the copy begins and is also removed. No real dump contains the same string
/// twice.
std::optional<RepeatedNames> find_repeated_names(const StringTable& strings);

/// Returns the table without these strings.
StringTable remove_names(const StringTable& strings, const RepeatedNames& names);

}  // namespace heapcheck::mvmheap
