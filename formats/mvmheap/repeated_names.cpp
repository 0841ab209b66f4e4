#include "formats/mvmheap/repeated_names.hpp"

#include <string_view>
#include <unordered_map>

#include "formats/core/keyed_hash.hpp"

namespace heapcheck::mvmheap {

std::optional<RepeatedNames> find_repeated_names(const StringTable& strings) {
  std::unordered_map<std::string_view, std::uint64_t, core::KeyedHash> seen;
  std::uint64_t run = 0;
  std::uint64_t distance = 0;  // from a string of the run to the earlier one
  for (std::uint64_t i = 0; i <= strings.count(); ++i) {
    const bool is_end = i == strings.count();
    const std::uint64_t earlier = is_end ? i : seen.try_emplace(strings[StringIndex{i}], i).first->second;
    const bool goes_on = run != 0 && earlier != i && i - earlier == distance;
    if (!goes_on && run != 0 && (distance == run || distance == run + 1))
      return RepeatedNames{i - distance, distance};
    run = goes_on ? run + 1 : earlier != i ? 1 : 0;
    distance = i - earlier;
  }
  return std::nullopt;
}

StringTable remove_names(const StringTable& strings, const RepeatedNames& names) {
  StringTable kept;
  for (std::uint64_t i = 0; i < strings.count(); ++i) {
    if (i < names.first || i - names.first >= names.count) kept.add(strings[StringIndex{i}]);
  }
  return kept;
}

}  // namespace heapcheck::mvmheap
