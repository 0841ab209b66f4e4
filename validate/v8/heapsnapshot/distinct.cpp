#include "validate/v8/heapsnapshot/distinct.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "formats/core/large_array.hpp"
#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot {
namespace {

using Values = std::vector<std::uint64_t>;

/// One bit for each number in a range, in pages that exist only where there are values. V8's own ids are
/// consecutive, but the embedder's ids are 32-bit hashes.
class SeenNumbers {
 public:
  SeenNumbers(std::uint64_t first, std::uint64_t last, std::uint64_t count)
      : first_(first),
        most_pages_(count / values_of_page + few_pages),
        page_of_(static_cast<std::size_t>((last - first) / page_bits + 1)) {
    words_.assign(page_words, 0);
  }

  /// Whether the page directory for that range takes up no more than a few bytes for each value.
  static bool fits(std::uint64_t range, std::uint64_t count) {
    return range / page_bits <= std::max(few_entries, count);
  }

  /// Adds a value, and returns whether it is new. If there is no room for another page, returns true.
  bool add(std::uint64_t value) {
    const std::uint64_t place = value - first_;
    std::uint32_t& page = page_of_[static_cast<std::size_t>(place / page_bits)];
    if (page == 0 && !add_page(page)) return true;
    std::uint64_t& word = words_[page * page_words + place % page_bits / 64];
    const std::uint64_t bit = std::uint64_t{1} << (place % 64);
    const bool is_new = (word & bit) == 0;
    word |= bit;
    return is_new;
  }
  /// Whether there was room for all values.
  [[nodiscard]] bool is_complete() const { return is_complete_; }

 private:
  static constexpr std::uint64_t page_bits = 4096;
  static constexpr std::size_t page_words = page_bits / 64;
  static constexpr std::uint64_t values_of_page = 32;  // so that a page takes up 16 bytes for each value
  static constexpr std::uint64_t few_pages = 4096;
  static constexpr std::uint64_t few_entries = std::uint64_t{1} << 21;

  bool add_page(std::uint32_t& page) {
    const std::size_t pages = words_.size() / page_words;
    is_complete_ = is_complete_ && pages <= most_pages_;
    if (!is_complete_) return false;
    page = static_cast<std::uint32_t>(pages);
    words_.resize((pages + 1) * page_words);
    std::fill_n(words_.end() - page_words, page_words, 0);
    return true;
  }

  std::uint64_t first_;
  std::uint64_t most_pages_;
  std::vector<std::uint32_t> page_of_;  // 0 if there is none
  /// The words of page 0, which is not used, and of the existing pages.
  core::LargeArray<std::uint64_t> words_;
  bool is_complete_ = true;
};

/// Sorts the rows by value, so that equal values are next to each other in row order.
template <class ForEach>
std::vector<Repeated> find_by_sorting(std::uint64_t count, ForEach&& for_each) {
  std::vector<Repeated> rows;
  rows.reserve(static_cast<std::size_t>(count));
  for_each([&](std::uint64_t row, std::uint64_t value) { rows.push_back({row, value}); });
  std::ranges::sort(rows, [](const Repeated& a, const Repeated& b) {
    return a.value != b.value ? a.value < b.value : a.row < b.row;
  });
  std::vector<Repeated> found;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].value == rows[i - 1].value) found.push_back(rows[i]);
  }
  std::ranges::sort(found, {}, &Repeated::row);
  return found;
}

/// Empty if the values are too far apart.
template <class ForEach>
std::optional<std::vector<Repeated>> find_with_pages(std::uint64_t count, std::uint64_t smallest,
                                                     std::uint64_t largest, ForEach&& for_each) {
  std::vector<Repeated> found;
  SeenNumbers seen(smallest, largest, count);
  for_each([&](std::uint64_t row, std::uint64_t value) {
    if (!seen.add(value)) found.push_back({row, value});
  });
  return seen.is_complete() ? std::optional(std::move(found)) : std::nullopt;
}

template <class ForEach>
std::vector<Repeated> find(std::uint64_t count, std::uint64_t smallest, std::uint64_t largest,
                           ForEach&& for_each) {
  if (count < 2) return {};
  if (!SeenNumbers::fits(largest - smallest, count)) return find_by_sorting(count, for_each);
  const auto found = find_with_pages(count, smallest, largest, for_each);
  return found ? *found : find_by_sorting(count, for_each);
}

}  // namespace

std::vector<Repeated> find_repeated(const format::ChunkedColumn& column) {
  std::uint64_t smallest = column.largest();
  for (std::uint64_t chunk = 0; chunk < column.chunk_count(); ++chunk)
    smallest = std::min(smallest, column.smallest(chunk));
  return find(column.count(), smallest, column.largest(), [&](auto&& use) { for_each_value(column, use); });
}

std::vector<Repeated> find_repeated(const Values& values) {
  if (values.empty()) return {};
  const auto [smallest, largest] = std::ranges::minmax(values);
  return find(values.size(), smallest, largest, [&](auto&& use) {
    for (std::size_t i = 0; i < values.size(); ++i) use(i, values[i]);
  });
}

}  // namespace heapcheck::validation::v8::heapsnapshot
