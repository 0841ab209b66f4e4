#include "conformance/recipe/grammar.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <type_traits>

#include "formats/core/text/x3.hpp"

namespace heapcheck::conformance::grammar {
namespace {

namespace x3 = core::x3;

const x3::uint_parser<std::uint64_t> decimal_rule{};
const x3::uint_parser<std::uint64_t, 16> hexadecimal_rule{};
const x3::uint_parser<std::uint8_t, 16, 2, 2> byte_rule{};

const auto number_rule = (x3::lit("0x") >> hexadecimal_rule) | decimal_rule;
const auto word_end = !x3::char_("A-Za-z0-9_");
const auto name_rule = x3::char_("A-Za-z") >> *x3::char_("A-Za-z0-9_.-");
const auto label_rule = x3::char_("A-Za-z[") >> *x3::char_("A-Za-z0-9_.[]");
const auto path_rule = x3::char_('/') >> *x3::graph;
const auto rest_rule = +x3::char_;
const auto plain_text_rule = x3::lit('\'') >> *(x3::char_ - '\'') >> '\'';
const auto hex_text_rule = x3::lit("hex") >> +(+x3::lit(' ') >> byte_rule >> word_end);

struct Escapes : x3::symbols<char> {
  Escapes() { add("\\n", '\n')("\\t", '\t')("\\0", '\0')("\\\"", '"')("\\\\", '\\'); }
} const escapes;
const auto escaped_text_rule = x3::lit('"') >>
                               *(escapes | (x3::lit("\\x") >> x3::uint_parser<unsigned char, 16, 2, 2>()) |
                                 (x3::char_ - x3::char_("\"\\"))) >>
                               '"';

/// Removes the text that `parser` matches from the front of `line`, and the spaces after it.
template <class Attribute, class Parser>
std::optional<Attribute> take(std::string_view& line, const Parser& parser) {
  auto match = x3::match<Attribute>(core::as_bytes(line), parser >> x3::omit[*x3::lit(' ')]);
  if (!match) return std::nullopt;
  line.remove_prefix(match->byte_count);
  return std::move(match->value);
}

/// Matches `start of` or `end of`, and returns true for `end of`.
std::optional<bool> edge(std::string_view& line) {
  std::string_view ahead = line;
  const bool is_end = word(ahead, "end");
  if (!is_end && !word(ahead, "start")) return std::nullopt;
  if (!word(ahead, "of")) return std::nullopt;
  line = ahead;
  return is_end;
}

std::optional<std::string> group_name(std::string_view& line) {
  return take<std::string>(line, x3::char_("A-Za-z") >> *x3::char_("A-Za-z0-9_[]"));
}

/// A production that matches `text` and then `production`.
template <class Production>
auto after(std::string_view text, Production production) {
  return [=](std::string_view& line) {
    return word(line, text) ? production(line) : decltype(production(line)){};
  };
}

/// Matches `productions` in order and returns a statement, or nothing if one of them does not match.
template <class Made, class... Productions>
std::optional<Statement> make(std::string_view& line, const Productions&... productions) {
  std::tuple<std::invoke_result_t<Productions, std::string_view&>...> taken;
  return std::apply(
      [&](auto&... fields) -> std::optional<Statement> {
        const bool has_all = ((fields = productions(line), fields.has_value()) && ...);
        if (!has_all) return std::nullopt;
        return Made{std::move(*fields)...};
      },
      taken);
}

std::optional<std::string> rest(std::string_view& line) { return take<std::string>(line, rest_rule); }

/// Matches `after` or `before`, and returns true for `after`.
std::optional<bool> side(std::string_view& line) {
  const bool is_after = word(line, "after");
  return is_after || word(line, "before") ? std::optional(is_after) : std::nullopt;
}

std::optional<std::uint8_t> byte(std::string_view& line) {
  const auto value = number(line);
  return value && *value <= UINT8_MAX ? std::optional(static_cast<std::uint8_t>(*value)) : std::nullopt;
}

std::optional<Statement> remark(std::string_view& line, std::string_view key) {
  auto text = rest(line);
  if (!text) return std::nullopt;
  return statement::Remark{std::string(key), std::move(*text)};
}

std::optional<Statement> finding(std::string_view& line) {
  statement::Finding finding;
  auto rule = name(line);
  if (!rule || !word(line, "at")) return std::nullopt;
  auto where = place(line);
  if (!where) return std::nullopt;
  finding.rule = std::move(*rule);
  finding.place = std::move(*where);
  if (word(line, "path")) {
    auto path = take<std::string>(line, path_rule);
    if (!path) return std::nullopt;
    finding.path = std::move(*path);
  }
  return finding;
}

struct Keyword {
  std::string_view word;
  std::optional<Statement> (*production)(std::string_view&);
};
using Line = std::string_view;
constexpr std::array<Keyword, 14> keywords{{
    {"limit", [](Line& line) { return make<statement::Limit>(line, name, after("=", number)); }},
    {"for", [](Line& line) { return make<statement::ForReader>(line, name); }},
    {"use", [](Line& line) { return make<statement::UseBase>(line, name); }},
    {"in", [](Line& line) { return make<statement::InGroup>(line, group_name); }},
    {"set", [](Line& line) { return make<statement::Set>(line, label, after("=", value)); }},
    {"drop", [](Line& line) { return make<statement::Drop>(line, label); }},
    {"duplicate",
     [](Line& line) { return make<statement::Duplicate>(line, label, after("as", group_name)); }},
    {"insert", [](Line& line) { return make<statement::Insert>(line, element, side, label); }},
    {"move", [](Line& line) { return make<statement::Move>(line, label, side, label); }},
    {"fill",
     [](Line& line) { return make<statement::Fill>(line, label, after("with", number), after("of", byte)); }},
    {"patch", [](Line& line) { return make<statement::Patch>(line, place, after("=", value)); }},
    {"cut", [](Line& line) { return make<statement::Cut>(line, after("at", place)); }},
    {"wrap", [](Line& line) { return make<statement::Wrap>(line, name); }},
    {"expect", [](Line& line) { return make<statement::Expect>(line, rest); }},
}};

}  // namespace

bool word(std::string_view& line, std::string_view word) {
  const bool is_name = (word.front() | 0x20) >= 'a' && (word.front() | 0x20) <= 'z';
  const std::string text(word);
  return is_name ? take<x3::unused_type>(line, x3::lit(text) >> word_end).has_value()
                 : take<x3::unused_type>(line, x3::lit(text)).has_value();
}

std::optional<std::uint64_t> number(std::string_view& line) {
  return take<std::uint64_t>(line, number_rule >> word_end);
}

std::int64_t shift(std::string_view& line) {
  const bool is_back = word(line, "-");
  if (!is_back && !word(line, "+")) return 0;
  const auto distance = static_cast<std::int64_t>(number(line).value_or(0) & INT64_MAX);
  return is_back ? -distance : distance;
}

std::optional<std::string> bytes(std::string_view& line) {
  if (auto text = take<std::string>(line, escaped_text_rule)) return text;
  if (auto text = take<std::string>(line, plain_text_rule)) return text;
  const auto raw = take<std::vector<std::uint8_t>>(line, hex_text_rule);
  return raw ? std::optional(std::string(raw->begin(), raw->end())) : std::nullopt;
}

std::optional<std::string> label(std::string_view& line) { return take<std::string>(line, label_rule); }

std::optional<std::string> name(std::string_view& line) { return take<std::string>(line, name_rule); }

std::optional<Place> place(std::string_view& line) {
  Place place;
  if (const auto offset = number(line)) {
    place.shift = static_cast<std::int64_t>(*offset & INT64_MAX);
    return place;
  }
  place.at_end = edge(line).value_or(false);
  auto what = label(line);
  if (!what) return std::nullopt;
  place.label = std::move(*what);
  place.shift = shift(line);
  return place;
}

std::optional<Value> value(std::string_view& line) {
  if (const auto integer = number(line)) return Value(*integer);
  if (auto text = bytes(line)) return Value(std::move(*text));
  if (word(line, "size")) {
    if (!word(line, "of")) return std::nullopt;
    auto what = label(line);
    if (!what) return std::nullopt;
    return Value(SizeOf{std::move(*what), shift(line)});
  }
  std::string_view ahead = line;
  if (!edge(ahead)) return std::nullopt;
  auto where = place(line);
  return where ? std::optional<Value>(std::move(*where)) : std::nullopt;
}

std::optional<unsigned> entry_type(std::string_view& line) {
  for (const unsigned byte_count : {1U, 2U, 4U, 8U}) {
    if (word(line, "u" + std::to_string(8 * byte_count))) return byte_count;
  }
  return std::nullopt;
}

std::optional<Element> element(std::string_view& line) {
  Element element;
  for (const std::string_view known :
       {"bytes", "u8", "u16", "u32", "u64", "meta", "column", "strings", "toc", "section", "entries"}) {
    if (!element.word.empty() || !word(line, known)) continue;
    element.word = known;
  }
  if (element.word.empty()) return std::nullopt;
  auto called = group_name(line);
  if (!called) return std::nullopt;
  element.name = std::move(*called);
  element.entry_bytes = entry_type(line).value_or(0);
  for (auto argument = value(line); argument; argument = value(line)) {
    element.arguments.push_back(std::move(*argument));
  }
  return element;
}

std::optional<Statement> statement(std::string_view& line) {
  for (const std::string_view key : {"title", "why", "spec"}) {
    if (word(line, key)) return word(line, ":") ? remark(line, key) : std::nullopt;
  }
  if (word(line, "finding")) return finding(line);
  for (const Keyword& keyword : keywords) {
    if (word(line, keyword.word)) return keyword.production(line);
  }
  auto added = element(line);
  return added ? std::optional<Statement>(statement::Add{std::move(*added)}) : std::nullopt;
}

}  // namespace heapcheck::conformance::grammar
