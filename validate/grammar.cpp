#include "validate/grammar.hpp"

#include "formats/core/text/x3.hpp"

namespace heapcheck::validation::grammar {
namespace {

namespace x3 = core::x3;

using Range = boost::iterator_range<const char*>;
using Ranges = std::vector<Range>;

const auto blanks = x3::omit[*x3::char_(" \t")];
const auto plain = x3::char_ - x3::char_("*?[],= \t\r\n");
const auto pieces = +(x3::char_("*?") | plain);

const auto pattern_rule = x3::rule<struct PatternRule, Range>() = x3::raw[x3::omit[pieces]];

std::string_view view(const Range& range) { return {range.begin(), range.size()}; }

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

/// The parts of `text` that `parser` finds; empty unless the parser matches the whole text.
template <class Parser>
std::optional<std::vector<std::string_view>> find_parts(std::string_view text, const Parser& parser) {
  const auto match = x3::match<Ranges>(core::as_bytes(text), parser);
  if (!match || match->byte_count != text.size()) return std::nullopt;
  std::vector<std::string_view> parts;
  for (const Range& range : match->value) parts.push_back(view(range));
  return parts;
}

}  // namespace

bool pattern(std::string_view text) {
  const auto match = x3::match<Range>(core::as_bytes(text), pattern_rule);
  return match && match->byte_count == text.size();
}

std::optional<std::vector<std::string_view>> pattern_list(std::string_view text) {
  return find_parts(text,
                    x3::rule<struct PatternListRule, Ranges>() = (blanks >> pattern_rule >> blanks) % ',');
}

std::optional<std::vector<SeverityItem>> severity_list(std::string_view text) {
  const auto item = blanks >> pieces >> blanks >> '=' >> blanks >> +plain >> blanks;
  const auto item_text = x3::rule<struct SeverityItemRule, Range>() = x3::raw[x3::omit[item]];
  const auto parts = find_parts(text, x3::rule<struct SeverityListRule, Ranges>() = item_text % ',');
  if (!parts) return std::nullopt;
  std::vector<SeverityItem> items;
  for (const std::string_view part : *parts) {
    const std::size_t sign = part.find('=');
    items.push_back({trim(part.substr(0, sign)), trim(part.substr(sign + 1))});
  }
  return items;
}

}  // namespace heapcheck::validation::grammar
