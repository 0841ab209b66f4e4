#include <fmt/format.h>

#include "cli/shell/commands.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/core/text/x3.hpp"

namespace heapcheck::cli {
namespace {

namespace x3 = core::x3;

using Range = boost::iterator_range<const char*>;

const auto blank = x3::char_(" \t\r");
const auto quoted = '"' >> *(('\\' >> x3::char_) | (x3::char_ - x3::char_("\"\\"))) >> '"';
const auto part = quoted | (x3::char_ - blank - '"');
// Queries may also have single quotes within a word, where they do not join words.
const auto single_quoted = '\'' >> *(x3::char_ - '\'') >> '\'';
const auto word_rule = x3::rule<struct WordRule, Range>() =
    x3::raw[(single_quoted >> *part) | (!x3::lit('\'') >> +part)];
const auto line_rule = x3::rule<struct LineRule, std::vector<Range>>() = *x3::omit[blank] >>
                                                                         -(word_rule % +x3::omit[blank]) >>
                                                                         *x3::omit[blank];

}  // namespace

Result<std::vector<Word>> parse_line(std::string_view line) {
  const auto match = x3::match<std::vector<Range>>(core::as_bytes(line), line_rule);
  const std::size_t parsed = match ? match->byte_count : 0;
  if (parsed != line.size())
    return std::unexpected(describe_unexpected(
        nullptr,
        fmt::format("a quote that closes the one at character {}", line.find_first_of("\"'", parsed) + 1)));
  std::vector<Word> words;
  for (const Range& range : match->value) {
    const auto offset = static_cast<std::size_t>(range.begin() - line.data());
    words.push_back({.text = line.substr(offset, range.size()), .offset = offset});
  }
  return words;
}

Error describe_unexpected(const Word* word, std::string_view expected) {
  if (word == nullptr)
    return {ErrorKind::unsupported, fmt::format("found the end of the line, expected {}", expected)};
  return {ErrorKind::unsupported, fmt::format("found \"{}\" at character {}, expected {}",
                                              core::make_excerpt(word->text), word->offset + 1, expected)};
}

}  // namespace heapcheck::cli
