// Parts of answers that are short enough for an agent, as JSON.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "heapcheck/types/table.hpp"

namespace heapcheck::cli::mcp {

/// The largest size of an answer in bytes, including everything that the server adds to it.
inline constexpr std::size_t max_answer = 8192;

/// Some rows of an answer.
struct AnswerPage {
  std::string json;     ///< the answer with these rows, on one line, in the form that spec/answers/ describes
  Answer rows;          ///< the same rows, not shortened
  std::size_t end = 0;  ///< the first row that comes after them
  std::size_t count = 0;      ///< the number of all rows
  bool is_shortened = false;  ///< whether long strings, lists of ids, or tables in rows were shortened
};

/// How much of an answer a page contains.
struct PageSize {
  std::size_t most_rows = 20;
  std::size_t most_bytes = max_answer;
  std::size_t most_text = 400;  ///< of each string
};

/// The rows of the answer from `first` on that fit. Longer strings are shortened, as is everything in a row
/// that does not fit. Throws std::bad_alloc.
[[nodiscard]] AnswerPage make_page(const Answer& answer, std::size_t first, const PageSize& size,
                                   const std::function<bool()>& is_stopped = {});

/// A JSON document without the white space between its tokens.
[[nodiscard]] std::string make_compact(std::string_view json);

}  // namespace heapcheck::cli::mcp
