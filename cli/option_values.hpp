// The values of options as text: on the command line, in the lines of the shell and in configuration files.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "cli/command_table.hpp"
#include "cli/values.hpp"

namespace heapcheck::cli {

/// A text that is not a value.
struct WrongValue {
  std::string found;     ///< the text, or the part of it that is wrong
  std::string expected;  ///< with a suggestion, if a word is similar

  /// `found jsn, expected text or json; did you mean json`.
  [[nodiscard]] std::string message() const;
};

/// The value that the text is for the option: a number, or a text, also for an option that may be repeated.
/// A flag has none.
std::expected<Value, WrongValue> parse_value(const Option& option, std::string_view text);

/// One of a few words.
std::expected<std::string, WrongValue> parse_choice(const Choices& choices, std::string_view text);

/// The values that the option takes: `a whole number from 1 to 19`.
std::string describe_expected(const Option& option);

/// The value if the option is not given.
Value default_of(const Option& option);

}  // namespace heapcheck::cli
