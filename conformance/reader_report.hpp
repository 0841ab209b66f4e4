// Compares a reader's answers to the cases with the correct ones, as a table and lists or as JSON.
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

/// What a reader must do with the file of a case.
enum class Duty : std::uint8_t {
  accept,  ///< because it is valid
  refuse,  ///< because it is not
  none,    ///< the answer is undecided or needs limits or decompression
};
Duty duty_of(const CaseRecord& record);

/// A case and what the reader did with its file; empty if it was not asked.
struct Asked {
  const CaseRecord* record;  ///< borrowed
  std::optional<Answer> answer;
};

/// Whether the reader did what it must do, if anything.
bool agrees(const Asked& asked);

/// A Markdown table with the number of files of each format that the reader accepted, refused, and so on.
std::string make_table(const std::vector<Asked>& all);
/// The cases in which the reader was wrong, grouped by its answer, up to `max_names` of each kind.
std::string make_lists(const std::vector<Asked>& all, std::size_t max_names);
/// One JSON document: the command and, for each case, the question, the answer and the correct answer.
std::string make_answers(std::string_view command, const std::vector<Asked>& all);

}  // namespace heapcheck::conformance
