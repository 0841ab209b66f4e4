// The options of questions, and their values after they have been checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "heapcheck/types/result.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck::analyze::answers {

/// The kind of value that an option takes.
enum class OptionKind : std::uint8_t {
  flag,   ///< a flag, which is false if it is not given
  count,  ///< a number from `least` to `most`
  text,   ///< one string, or several strings, which are joined with spaces
  list,   ///< one or more strings
};

/// An option of a question.
struct OptionRule {
  std::string_view name;
  OptionKind kind = OptionKind::flag;
  bool is_required = false;
  std::uint64_t least = 0;
  std::uint64_t most = UINT64_MAX;
  std::string_view fallback = {};  ///< the value if it is not given; empty if there is none
  std::string_view choices = {};   ///< the only strings that it accepts, separated by spaces
};

/// The values of the options of one question. Each value has the kind of its option or is empty.
class Options {
 public:
  /// Errors: unsupported if `values` contains an option that is not in `rules` or a value of the wrong kind,
  /// or lacks a required option.
  static Result<Options> make(std::span<const OptionRule> rules, const OptionValues& values);

  /// The value; empty if the option is not given and has no fallback.
  template <class T>
  [[nodiscard]] std::optional<T> find(std::string_view name) const {
    const auto value = values_.find(name);
    const T* const held = value == values_.end() ? nullptr : std::get_if<T>(&value->second);
    return held == nullptr ? std::nullopt : std::optional(*held);
  }
  /// Does the same as find(), but returns T{} if there is no value.
  template <class T>
  [[nodiscard]] T get(std::string_view name) const {
    return find<T>(name).value_or(T{});
  }
  [[nodiscard]] bool flag(std::string_view name) const { return get<bool>(name); }
  [[nodiscard]] std::uint64_t count(std::string_view name) const { return get<std::uint64_t>(name); }
  [[nodiscard]] std::string text(std::string_view name) const { return get<std::string>(name); }

  /// The number of rows that the `limit` option allows.
  [[nodiscard]] std::size_t most_rows() const;

 private:
  OptionValues values_;
};

/// The error for a request that cannot be fulfilled.
[[nodiscard]] inline std::unexpected<Error> refuse(std::string why) {
  return std::unexpected(Error{ErrorKind::unsupported, std::move(why)});
}

}  // namespace heapcheck::analyze::answers
