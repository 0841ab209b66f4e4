// Writes answers, and parts of their text, in all forms of output. All functions return text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "heapcheck/types/table.hpp"

namespace heapcheck::analyze::answers {

/// The number of rows, including rows that have not been made yet.
[[nodiscard]] std::size_t count_rows(const Answer& answer);
/// The answer with at most `most` rows, starting at `first`, all of which have been made. There are fewer
/// rows if `is_stopped`, which is called before each row, returns true.
[[nodiscard]] Answer take_rows(const Answer& answer, std::size_t first, std::size_t most,
                               const std::function<bool()>& is_stopped = {});

/// The answer with the rows that its limit allows. SARIF contains the version of this program, if it is
/// given.
[[nodiscard]] std::string write_answer(const Answer& answer, AnswerForm form, std::string_view version = {});

/// The table in human-readable form, with at most `most` rows, in columns separated by two spaces.
[[nodiscard]] std::string show_table(const Table& table, std::size_t most = SIZE_MAX);
/// The indices of the columns that people are shown.
[[nodiscard]] std::vector<std::size_t> shown_columns(const Table& table);
/// The labels of these columns, and their cells in the first `count` rows, in human-readable form. At most
/// `most_bytes` of a text are shown.
[[nodiscard]] std::vector<std::vector<std::string>> show_cells(const Table& table,
                                                               const std::vector<std::size_t>& shown,
                                                               std::size_t count,
                                                               std::size_t most_bytes = 60);
/// A size in human-readable form, such as `812 B` or `6.9 MiB`.
[[nodiscard]] std::string show_bytes(std::uint64_t bytes);
/// A number with thousands separators, such as `144,990`.
[[nodiscard]] std::string show_count(std::uint64_t count);

}  // namespace heapcheck::analyze::answers
