// A request to the module: one JSON object.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heapcheck/types/result.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck::wasm {

/// The members of the object, and those of its member `options`. Numbers are counts if they are integers.
struct Request {
  OptionValues values = {};
  OptionValues options = {};

  /// The text, number or flag with that name; a default value if there is none.
  [[nodiscard]] std::string text(std::string_view name) const;
  [[nodiscard]] std::uint64_t count(std::string_view name, std::uint64_t otherwise = 0) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  [[nodiscard]] std::optional<double> share(std::string_view name) const;
  /// The strings with that name; one if it is a text, and none by default.
  [[nodiscard]] std::vector<std::string> strings(std::string_view name) const;
};

/// Parses a request. Numbers in arrays become strings. Errors: unsupported if it is not a JSON
/// object, or if other objects are inside.
[[nodiscard]] Result<Request> parse_request(std::string_view json);

}  // namespace heapcheck::wasm
