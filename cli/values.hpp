// What a command line sets: the values of one command's options and of its argument, by their names in the
// table of commands.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heapcheck::cli {

/// Nothing where it is not given; else a flag, a count or a size in bytes, percent, a text, or texts.
using Value =
    std::variant<std::monostate, bool, std::uint64_t, double, std::string, std::vector<std::string>>;

class Values {
 public:
  /// Makes room for the value of that name, or finds it. Its address stays.
  Value& slot(std::string_view name) { return values_[std::string(name)]; }

  /// The value; nothing where it is not given and has no default. Throws where the command has no option of
  /// that name or it has another type.
  template <class T>
  [[nodiscard]] std::optional<T> find(std::string_view name) const {
    const Value& value = values_.at(std::string(name));
    if (std::holds_alternative<std::monostate>(value)) return std::nullopt;
    return std::get<T>(value);
  }
  /// The same; T{} where it is not given and has no default.
  template <class T>
  [[nodiscard]] T get(std::string_view name) const {
    return find<T>(name).value_or(T{});
  }

 private:
  std::map<std::string, Value> values_;
};

}  // namespace heapcheck::cli
