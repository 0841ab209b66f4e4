// Writes answers in all forms of output, and the parts of their texts. Output: text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>

#include "heapcheck/types/table.hpp"

namespace heapcheck::analyze::answers {

/// The number of rows, including rows that have not been made yet.
[[nodiscard]] std::size_t count_rows(const Answer& answer);
/// The answer with at most `most` rows, starting at `first`, all of which have been made; fewer if `stop` is
/// requested.
[[nodiscard]] Answer take_rows(const Answer& answer, std::size_t first, std::size_t most,
                               const std::stop_token& stop = {});

/// The answer with the rows that its limit allows.
[[nodiscard]] std::string write_answer(const Answer& answer, AnswerForm form);

/// The table for people, with at most `most` rows, in columns separated by two spaces.
[[nodiscard]] std::string show_table(const Table& table, std::size_t most = SIZE_MAX);
/// A size for people: `812 B`, `6.9 MiB`.
[[nodiscard]] std::string show_bytes(std::uint64_t bytes);
/// A number with separators between thousands: `144,990`.
[[nodiscard]] std::string show_count(std::uint64_t count);

}  // namespace heapcheck::analyze::answers
