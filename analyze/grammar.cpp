#include <fmt/format.h>

#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "analyze/differences.hpp"
#include "analyze/guard.hpp"
#include "analyze/query.hpp"
#include "formats/core/checked.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/core/text/nearest.hpp"
#include "formats/core/text/parse_number.hpp"
#include "formats/core/text/x3.hpp"

namespace heapcheck::analyze {
namespace {

namespace x3 = core::x3;

struct Groups : x3::symbols<std::optional<NodeGroup>> {
  Groups() {
    add("objects", NodeGroup::object)("types", NodeGroup::type_object)("stables", NodeGroup::stable)(
        "frames", NodeGroup::frame)("strings", NodeGroup::string)("roots", NodeGroup::root)("nodes", {});
  }
};

struct Fields : x3::symbols<Field> {
  Fields() {
    add("type", Field::type)("repr", Field::representation)("name", Field::name)("kind", Field::kind)(
        "detached", Field::detached)("held-by", Field::held_by)("id", Field::id)("size", Field::size)(
        "retained", Field::retained)("allocated", Field::allocated);
  }
};

struct Holders : x3::symbols<graph::HeldBy> {
  Holders() {
    add("detached-dom", graph::HeldBy::detached_dom)("console", graph::HeldBy::console)(
        "event-handlers", graph::HeldBy::event_handlers)("contexts", graph::HeldBy::contexts);
  }
};

struct Amounts : x3::symbols<TopBy> {
  Amounts() {
    add("count", TopBy::count)("size", TopBy::size)("retained", TopBy::retained)("cumulative",
                                                                                 TopBy::retained);
  }
};

struct Comparisons : x3::symbols<Comparison> {
  Comparisons() {
    add("=", Comparison::equal)("!=", Comparison::not_equal)("~", Comparison::contains)(
        "<=", Comparison::at_most)("<", Comparison::less)(">=", Comparison::at_least)(">",
                                                                                      Comparison::greater);
  }
};

struct Orders : x3::symbols<Comparison> {
  Orders() {
    add("<=", Comparison::at_most)("<", Comparison::less)(">=", Comparison::at_least)(">",
                                                                                      Comparison::greater);
  }
};

struct NameComparisons : x3::symbols<Comparison> {
  NameComparisons() { add("=", Comparison::equal)("~", Comparison::contains); }
};

struct Units : x3::symbols<unsigned> {
  Units() { add("K", 10U)("KiB", 10U)("M", 20U)("MiB", 20U)("G", 30U)("GiB", 30U); }
};

struct TimeUnits : x3::symbols<std::uint64_t> {
  TimeUnits() { add("s", 1'000'000U)("ms", 1'000U)("us", 1U); }
};

struct Families : x3::symbols<Family> {
  Families() {
    add("mvmheap", Family::mvmheap)("heapsnapshot", Family::v8_heapsnapshot)("heapprofile",
                                                                             Family::v8_heapprofile);
  }
};

struct Requirements : x3::symbols<Requirement> {
  Requirements() {
    add("absent", Requirement::absent)("at-most", Requirement::at_most)(
        "not-rising", Requirement::not_rising)("slope-at-most", Requirement::slope_at_most)(
        "no-new-leak", Requirement::no_new_leak);
  }
};

const Groups groups;
const Fields fields;
const Holders holders;
const Amounts amounts;
const Comparisons comparisons;
const Families families;
const Requirements requirements;
const Orders orders;
const NameComparisons name_comparisons;
const Units units;
const TimeUnits time_units;

/// The words of the symbols plus one more word.
template <class Symbols>
std::vector<std::string> list_words(const Symbols& symbols, std::string_view other) {
  std::vector<std::string> words{std::string(other)};
  symbols.for_each([&words](const std::string& word, const auto& /*value*/) { words.push_back(word); });
  return words;
}

const auto word_end = !x3::char_("A-Za-z0-9_");
const auto group_rule = x3::rule<struct GroupRule, std::optional<NodeGroup>>() = groups >> word_end;
const auto field_rule = x3::rule<struct FieldRule, Field>() = fields >> word_end;
const auto holder_rule = x3::rule<struct HolderRule, graph::HeldBy>() = holders >> !x3::char_("A-Za-z0-9_-");
const auto by_rule = x3::lit("by") >> word_end;
const auto text_rule = x3::rule<struct TextRule, std::string>() =
    ('"' >> *(('\\' >> x3::char_) | (x3::char_ - '"')) >> '"') |
    ('\'' >> *(('\\' >> x3::char_) | (x3::char_ - '\'')) >> '\'') |
    (x3::char_ - x3::char_(" \t\"'")) >> *(x3::char_ - x3::char_(" \t\""));
const auto family_rule = x3::rule<struct FamilyRule, Family>() = families >> ':';
const auto requirement_rule = x3::rule<struct RequirementRule, Requirement>() =
    requirements >> !x3::char_("A-Za-z0-9_-");
const auto amount_rule = x3::rule<struct AmountRule, TopBy>() = amounts >> word_end;
// A colon belongs to the name of a type, such as Foo::Bar, unless a space follows.
const auto name_rule = x3::rule<struct NameRule, std::string>() =
    ('"' >> *(('\\' >> x3::char_) | (x3::char_ - '"')) >> '"') |
    +((x3::char_ - x3::char_(" \t\":")) | (x3::char_(':') >> &(x3::char_ - x3::char_(" \t"))));

/// The text that is still to be parsed, and its position in the whole text.
class Input {
 public:
  /// `what` names the text in messages.
  Input(std::string_view text, std::string_view what) : text_(text), what_(what) {}

  void skip_spaces() {
    while (!rest().empty() && (rest().front() == ' ' || rest().front() == '\t')) ++offset_;
  }
  [[nodiscard]] bool at_end() const { return rest().empty(); }
  [[nodiscard]] std::string_view rest() const { return text_.substr(offset_); }

  template <class Attribute, class Parser>
  std::optional<Attribute> take(const Parser& parser) {
    auto match = x3::match<Attribute>(core::as_bytes(rest()), parser);
    if (!match) return std::nullopt;
    offset_ += match->byte_count;
    return std::move(match->value);
  }

  /// The error about the next word.
  [[nodiscard]] std::unexpected<Error> fail(std::string_view expected) const {
    const std::string_view word = rest().substr(0, rest().find_first_of(" \t"));
    const std::string found = word.empty() ? "the end" : fmt::format("\"{}\"", core::make_excerpt(word));
    return std::unexpected(
        Error{ErrorKind::unsupported, fmt::format("in the {}, found {} at character {}, expected {}", what_,
                                                  found, offset_ + 1, expected)});
  }
  /// The same error, with a suggestion of which of `words` was probably meant.
  [[nodiscard]] std::unexpected<Error> fail(std::string_view expected,
                                            const std::vector<std::string>& words) const {
    const std::string_view letters =
        rest().substr(0, rest().find_first_not_of("abcdefghijklmnopqrstuvwxyz-"));
    return fail(fmt::format("{}{}", expected, core::suggest_word(words, letters)));
  }

 private:
  std::string_view text_;
  std::string_view what_;
  std::size_t offset_ = 0;
};

bool is_number(Field field) { return field >= Field::id; }

/// Whether the comparison suits the field: numbers have an order, and strings have parts.
bool fits(Comparison comparison, Field field) {
  if (comparison == Comparison::contains) return !is_number(field) && field != Field::held_by;
  return comparison <= Comparison::not_equal || is_number(field);
}

Result<std::uint64_t> parse_number(Input& input) {
  const auto number = input.take<std::uint64_t>(-x3::lit('@') >> x3::uint_parser<std::uint64_t>());
  if (!number) return input.fail("a number below 2^64");
  const Input after = input;
  input.skip_spaces();
  const auto unit = input.take<unsigned>(units >> word_end);
  if (!unit) input = after;
  if (!unit && input.take<char>(x3::char_("A-Za-z."))) return after.fail("K, KiB, M, MiB, G or GiB");
  if (unit && *number > UINT64_MAX >> *unit) return input.fail("a number below 2^64");
  return unit ? *number << *unit : *number;
}

struct NumberOrShare {
  double number = 0;
  bool is_percentage = false;
};

/// Parses a number such as 10M, or a percentage such as 0.5 %.
Result<NumberOrShare> parse_number_or_share(Input& input) {
  if (const auto decimal = input.take<std::string>(x3::raw[+x3::digit >> '.' >> +x3::digit])) {
    input.skip_spaces();
    const double share = core::parse_number<double>(*decimal).value_or(std::numeric_limits<double>::max());
    if (input.take<char>(x3::char_('%'))) return NumberOrShare{share, true};
    return input.fail("a percent sign, because the number has a decimal point");
  }
  const auto number = parse_number(input);
  if (!number) return std::unexpected(number.error());
  input.skip_spaces();
  return NumberOrShare{static_cast<double>(*number), input.take<char>(x3::char_('%')).has_value()};
}

/// Parses a time such as `2s` or `500ms`, in microseconds.
Result<std::uint64_t> parse_time(Input& input) {
  const auto number = input.take<std::uint64_t>(x3::uint_parser<std::uint64_t>());
  if (!number) return input.fail("a time such as 2s or 500ms");
  input.skip_spaces();
  const auto unit = input.take<std::uint64_t>(time_units >> word_end);
  if (!unit) return input.fail("s, ms or us");
  const auto time = core::checked_multiply(*number, *unit);
  if (!time) return input.fail("a time below 2^64 us");
  return *time;
}

/// The comparisons and values that suit a field.
std::string_view expected_after(Field field) {
  if (field == Field::allocated) return "=, !=, <, <=, > or >=, followed by a time";
  if (field == Field::held_by)
    return "= or !=, followed by detached-dom, console, event-handlers or contexts";
  return is_number(field) ? "=, !=, <, <=, > or >=, followed by a number" : "=, != or ~, followed by text";
}

/// Parses the right-hand side of a comparison.
Result<void> parse_value(Input& input, Condition& condition) {
  if (is_number(condition.field)) {
    const auto number = condition.field == Field::allocated ? parse_time(input) : parse_number(input);
    if (!number) return std::unexpected(number.error());
    condition.value = *number;
    return {};
  }
  if (condition.field == Field::held_by) {
    const auto holder = input.take<graph::HeldBy>(holder_rule);
    if (!holder)
      return input.fail("detached-dom, console, event-handlers or contexts", list_words(holders, ""));
    condition.value = *holder;
    return {};
  }
  const auto text = input.take<std::string>(text_rule);
  if (!text) return input.fail("text, in quotes if it contains spaces");
  condition.value = *text;
  return {};
}

Result<Condition> parse_condition(Input& input) {
  Condition condition;
  const auto field = input.take<Field>(field_rule);
  if (!field)
    return input.fail(
        "type, repr, name, kind, detached, held-by, id, size, retained or allocated, or by and an order",
        list_words(fields, "by"));
  condition.field = *field;
  if (*field == Field::detached) return condition;
  input.skip_spaces();
  const Input before = input;
  const auto comparison = input.take<Comparison>(comparisons);
  // An invalid comparison operator is reported at the operator itself, because nothing is wrong with the
  // right-hand side of `size~10`.
  if (!comparison || !fits(*comparison, *field)) return before.fail(expected_after(*field));
  condition.comparison = *comparison;
  input.skip_spaces();
  if (const auto value = parse_value(input, condition); !value) return std::unexpected(value.error());
  return condition;
}

/// The rest of a query after `by`.
Result<Query> parse_order(Input& input, Query query) {
  input.skip_spaces();
  const Input before = input;
  query.order = input.take<Field>(field_rule);
  if (!query.order || !is_number(*query.order))
    return before.fail("size, retained, allocated or id", {"size", "retained", "allocated", "id"});
  input.skip_spaces();
  if (!input.at_end()) return input.fail("the end of the query");
  return query;
}

/// Parses `type="Foo":`, if the condition applies to a type.
Result<void> parse_name(Input& input, Threshold& threshold) {
  if (!input.take<std::string>(x3::string("type") >> word_end)) return {};
  input.skip_spaces();
  const auto comparison = input.take<Comparison>(name_comparisons);
  if (!comparison) return input.fail("= or ~, followed by text");
  threshold.name_comparison = *comparison;
  input.skip_spaces();
  threshold.name = input.take<std::string>(name_rule);
  if (!threshold.name) return input.fail("text, in quotes if it contains spaces");
  input.skip_spaces();
  if (!input.take<char>(x3::char_(':'))) return input.fail("a colon");
  input.skip_spaces();
  return {};
}

/// Parses an amount such as `+10%`. A number with a sign or a percent sign is a change.
Result<void> parse_amount(Input& input, Threshold& threshold) {
  const auto sign = input.take<char>(x3::char_("+-"));
  const auto amount = parse_number_or_share(input);
  if (!amount) return std::unexpected(amount.error());
  threshold.measure = amount->is_percentage ? Threshold::Measure::percentage
                      : sign                ? Threshold::Measure::change
                                            : Threshold::Measure::value;
  threshold.number = amount->number * (sign == '-' ? -1 : 1);
  input.skip_spaces();
  if (!input.at_end()) return input.fail("the end");
  return {};
}

/// Parses the amount of a rule and what it counts, such as `10M retained`.
Result<void> parse_guard_amount(Input& input, GuardRule& rule) {
  if (rule.requirement == Requirement::absent) return {};
  const bool needs_amount =
      rule.requirement == Requirement::at_most || rule.requirement == Requirement::slope_at_most;
  if (rule.requirement == Requirement::no_new_leak) rule.amount = default_leak_amount;
  Input ahead = input;
  if (needs_amount || ahead.take<char>(x3::char_("0-9"))) {
    const auto amount = parse_number_or_share(input);
    if (!amount) return std::unexpected(amount.error());
    rule.amount = {amount->number, amount->is_percentage};
    input.skip_spaces();
  }
  if (rule.requirement == Requirement::no_new_leak) return {};
  if (const auto by = input.take<TopBy>(amount_rule)) rule.by = *by;
  input.skip_spaces();
  return {};
}

}  // namespace

Result<Query> parse_query(std::string_view text) {
  Input input(text, "query");
  Query query;
  input.skip_spaces();
  const auto group = input.take<std::optional<NodeGroup>>(group_rule);
  // `detached` is short for `nodes detached`.
  const Input first = input;
  if (!group && input.take<Field>(field_rule) != Field::detached)
    return first.fail("objects, types, stables, frames, strings, roots, nodes or detached",
                      list_words(groups, "detached"));
  if (!group) input = first;
  query.group = group.value_or(std::nullopt);
  for (input.skip_spaces(); !input.at_end(); input.skip_spaces()) {
    if (input.take<x3::unused_type>(by_rule)) return parse_order(input, std::move(query));
    auto condition = parse_condition(input);
    if (!condition) return std::unexpected(condition.error());
    query.conditions.push_back(std::move(*condition));
  }
  return query;
}

Result<Threshold> parse_threshold(std::string_view text) {
  Input input(text, "condition");
  Threshold threshold;
  input.skip_spaces();
  if (const auto name = parse_name(input, threshold); !name) return std::unexpected(name.error());
  const auto field = input.take<TopBy>(amount_rule);
  if (!field && threshold.name) return input.fail("count, size or retained", list_words(amounts, ""));
  if (!field) return input.fail("type, count, size or retained", list_words(amounts, "type"));
  threshold.field = *field;
  input.skip_spaces();
  const auto comparison = input.take<Comparison>(orders);
  if (!comparison) return input.fail("<, <=, > or >=, followed by a number");
  threshold.comparison = *comparison;
  input.skip_spaces();
  if (const auto amount = parse_amount(input, threshold); !amount) return std::unexpected(amount.error());
  return threshold;
}

Result<GuardRule> parse_guard_rule(std::string_view text) {
  Input input(text, "rule");
  GuardRule rule;
  input.skip_spaces();
  rule.family = input.take<Family>(family_rule);
  input.skip_spaces();
  rule.text = input.rest();
  const auto requirement = input.take<Requirement>(requirement_rule);
  if (!requirement)
    return input.fail("absent, at-most, not-rising, slope-at-most or no-new-leak",
                      list_words(requirements, ""));
  rule.requirement = *requirement;
  input.skip_spaces();
  if (const auto taken = parse_guard_amount(input, rule); !taken) return std::unexpected(taken.error());
  if (rule.requirement == Requirement::no_new_leak) {
    if (!input.at_end()) return input.fail("the end");
    return rule;
  }
  rule.query = input.rest();
  if (auto query = parse_query(rule.query); !query) return std::unexpected(std::move(query.error()));
  return rule;
}

}  // namespace heapcheck::analyze
