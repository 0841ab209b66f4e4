// What a reader did with the cases, beside what it should have done: as a table and lists for
// people, or as JSON.
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

/// What a reader has to do with a case's file.
enum class Duty : std::uint8_t {
  accept,  ///< it is valid
  refuse,  ///< it is not
  none,    ///< it cannot be said, or only with caps or after decompressing
};
Duty duty_of(const CaseRecord& record);

/// A case and what the reader did with its file; nothing where it was not asked.
struct Asked {
  const CaseRecord* record;  ///< borrowed
  std::optional<Answer> answer;
};

/// Whether the reader did what it had to, or had to do nothing.
bool agrees(const Asked& asked);

/// A Markdown table: for each format how many files the reader accepted, refused, and so on.
std::string make_table(const std::vector<Asked>& all);
/// The cases where it disagrees, by what it did, up to `max_names` of each kind.
std::string make_lists(const std::vector<Asked>& all, std::size_t max_names);
/// One JSON document: the command, and what was asked, answered and right for each case.
std::string make_answers(std::string_view command, const std::vector<Asked>& all);

}  // namespace heapcheck::conformance
