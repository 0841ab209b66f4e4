// The rows of the questions about several snapshots: one for each name, with its numbers in every snapshot.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck::analyze::answers {

/// A number that can be compared, and its human-readable name.
struct Field {
  std::string_view key;
  std::string_view label;
  TopBy by;
};
using Fields = std::array<Field, 3>;
inline constexpr Fields node_fields = {{{"count", "Count", TopBy::count},
                                        {"size", "Size", TopBy::size},
                                        {"retained", "Retained", TopBy::retained}}};
inline constexpr Fields stack_fields = {{{"count", "Count", TopBy::count},
                                         {"size", "Size", TopBy::size},
                                         {"cumulative", "Cumulative", TopBy::retained}}};

/// The name of a field for programs.
[[nodiscard]] std::string_view key_of(const Fields& fields, TopBy by);

/// Which numbers the text shows for each field: either the last number and the change from each snapshot to
/// the next, or the first number, the last number and the change between them.
enum class Shown : std::uint8_t { steps, ends };

/// For each field, a list for programs and the columns of the text.
[[nodiscard]] std::vector<Column> make_columns(const Fields& fields, std::size_t snapshot_count, Shown shown);

/// The values of a series in these columns.
[[nodiscard]] std::vector<Cell> make_series_row(const Series& series, TopBy by, Shown shown, bool has_counts);

/// Says that a series of the process meets a condition, with the values that were found and expected.
/// `process` is empty if snapshots are not of several processes. The caller adds the condition and the file.
[[nodiscard]] CheckedCondition make_violation(const Fields& fields, const Series& series,
                                              const Threshold& threshold, const std::string& process);

}  // namespace heapcheck::analyze::answers
