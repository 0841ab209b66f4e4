// The values of one command's options and arguments, by their names in the command table. Also parses
// values from the command line, from the lines of the shell and from configuration files.
#pragma once

#include <expected>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/command_table.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck::cli {

using Value = OptionValue;

class Values {
 public:
  /// The slot for the value with that name, which is created if necessary. Its address does not change.
  Value& slot(std::string_view name) { return values_[std::string(name)]; }

  /// The value; nothing if it is not given and has no default. Throws if the command has no option with that
  /// name or the option has a different type.
  template <class T>
  [[nodiscard]] std::optional<T> find(std::string_view name) const {
    const Value& value = values_.at(std::string(name));
    if (std::holds_alternative<NoValue>(value)) return std::nullopt;
    return std::get<T>(value);
  }
  /// The value, whatever its type.
  [[nodiscard]] const Value& value(std::string_view name) const { return values_.at(std::string(name)); }
  /// Whether the option was given on the command line.
  [[nodiscard]] bool is_given(std::string_view name) const { return given_.contains(std::string(name)); }
  void mark_given(std::string_view name) { given_.insert(std::string(name)); }
  /// Whether the command has an option or argument with that name.
  [[nodiscard]] bool has(std::string_view name) const { return values_.contains(std::string(name)); }
  /// The same as find(), but returns T{} if there is no value.
  template <class T>
  [[nodiscard]] T get(std::string_view name) const {
    return find<T>(name).value_or(T{});
  }

 private:
  std::map<std::string, Value> values_;
  std::set<std::string> given_;
};

/// A string that is not a valid value.
struct WrongValue {
  std::string found;     ///< the string, or the part of it that is wrong
  std::string expected;  ///< what was expected, with a suggestion if a word is similar

  /// `found jsn, expected text or json; did you mean json`.
  [[nodiscard]] std::string message() const;
};

/// Parses the text as a value of the option: a number or a string. The result is a single value even if the
/// option may be repeated. A flag has no value.
std::expected<Value, WrongValue> parse_value(const Option& option, std::string_view text);

/// Parses one of a fixed set of words.
std::expected<std::string, WrongValue> parse_choice(const Choices& choices, std::string_view text);

/// The items of a list separated by commas, without the spaces around them. There is always at least one
/// item, which may be empty.
std::vector<std::string_view> split_list(std::string_view list);

/// The values that the option takes: `a whole number from 1 to 19`.
std::string describe_expected(const Option& option);

/// The same for a required argument.
std::string describe_expected(const Argument& argument);

/// The value if the option is not given.
Value default_of(const Option& option);

}  // namespace heapcheck::cli
