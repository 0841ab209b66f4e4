#include "validate/v8/heapsnapshot/distinct.hpp"

#include <algorithm>

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot {
namespace {

using Values = std::vector<std::uint64_t>;

/// Values are sorted if one bit for each possible number would take more than `max_bits` for each value and
/// more than `few_bits` in total.
constexpr std::uint64_t max_bits = 64;
constexpr std::uint64_t few_bits = std::uint64_t{1} << 27;

class SeenNumbers {
 public:
  SeenNumbers(std::uint64_t first, std::uint64_t last) : first_(first), words_((last - first) / 64 + 1) {}

  /// Adds a value, and returns whether it is new.
  bool add(std::uint64_t value) {
    std::uint64_t& word = words_[static_cast<std::size_t>((value - first_) / 64)];
    const std::uint64_t bit = std::uint64_t{1} << ((value - first_) % 64);
    const bool is_new = (word & bit) == 0;
    word |= bit;
    return is_new;
  }

 private:
  std::uint64_t first_;
  Values words_;
};

/// Sorts the rows by value, so that equal values are next to each other, in the order of rows.
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

template <class ForEach>
std::vector<Repeated> find(std::uint64_t count, std::uint64_t smallest, std::uint64_t largest,
                           ForEach&& for_each) {
  if (count < 2) return {};
  const std::uint64_t range = largest - smallest;
  if (range > few_bits && range / max_bits > count) return find_by_sorting(count, for_each);
  std::vector<Repeated> found;
  SeenNumbers seen(smallest, largest);
  for_each([&](std::uint64_t row, std::uint64_t value) {
    if (!seen.add(value)) found.push_back({row, value});
  });
  return found;
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
