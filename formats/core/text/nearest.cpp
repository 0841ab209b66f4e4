#include "formats/core/text/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <vector>

namespace heapcheck::core {
namespace {

/// The sum of the differences between bytes at the same positions.
std::size_t byte_difference(std::string_view a, std::string_view b) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    sum += static_cast<std::size_t>(std::abs(a[i] - b[i]));
  return sum;
}

/// The number of edits from the typed text to the word or, if that is more than `most`, some number above
/// `most`. If only the start of the word was typed, the rest counts as one edit.
std::size_t count_edits(std::string_view typed, std::string_view word, std::size_t most) {
  constexpr std::size_t least_begun = 3;
  if (typed.size() >= least_begun && typed.size() < word.size() && word.starts_with(typed)) return 1;
  // The distance is at least that much, and computing it takes a lot of time if one of them is long.
  const std::size_t difference = std::max(typed.size(), word.size()) - std::min(typed.size(), word.size());
  return difference > most ? difference : edit_distance(typed, word);
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Row i contains the distances from the first i bytes of a to each prefix of b.
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool is_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string find_nearest(std::string_view typed, std::span<const std::string> words) {
  // The number of edits, whether the first byte is wrong, and how much the bytes differ.
  using Nearness = std::tuple<std::size_t, bool, std::size_t>;
  const std::size_t most = std::clamp<std::size_t>(typed.size() / 3, 1, 3);
  Nearness best{most + 1, false, 0};
  std::string nearest;
  for (const std::string& word : words) {
    const std::size_t edits = count_edits(typed, word, most);
    const bool is_start_wrong = typed.substr(0, 1) != std::string_view(word).substr(0, 1);
    const Nearness nearness{edits, is_start_wrong, byte_difference(typed, word)};
    // A word that has nothing in common with the typed text is not a correction of it.
    if (edits >= std::max(typed.size(), word.size()) || !(nearness < best)) continue;
    best = nearness;
    nearest = word;
  }
  return nearest;
}

std::string suggest_word(std::span<const std::string> words, std::string_view typed) {
  return did_you_mean(find_nearest(typed, words));
}

std::string did_you_mean(std::string_view words) {
  return words.empty() ? std::string() : fmt::format("; did you mean {}", words);
}

}  // namespace heapcheck::core
