// Compares a reader's answers to the cases with the correct answers, as a table and lists or as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case_record.hpp"
#include "conformance/reader.hpp"

namespace heapcheck::conformance {

/// The answer that a reader should give for the file of a case.
enum class Duty : std::uint8_t {
  accept,  ///< because it is valid
  refuse,  ///< because it is not valid
  none,    ///< the correct answer is undecided, or depends on limits or decompression
};
Duty duty_of(const CaseRecord& record);

/// A case and the reader's answer, which is empty if the reader was not asked.
struct Asked {
  const CaseRecord* record;  ///< borrowed
  std::optional<Answer> answer;
};

/// Whether the answer is correct; true if there is no answer or if either answer is acceptable.
bool agrees(const Asked& asked);

/// A Markdown table with the number of files in each format that the reader accepted, refused, and so on.
std::string make_table(const std::vector<Asked>& all);
/// The cases in which the reader was wrong, grouped by kind of error, with up to `max_names` of each kind.
std::string make_lists(const std::vector<Asked>& all, std::size_t max_names);
/// A JSON document with the command and, for each case, the file, the answer and the correct answer.
std::string make_answers(std::string_view command, const std::vector<Asked>& all);

}  // namespace heapcheck::conformance
