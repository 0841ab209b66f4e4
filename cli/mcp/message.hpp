// The messages of the Model Context Protocol: JSON-RPC 2.0, one message on each line.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "heapcheck/types/table.hpp"

namespace heapcheck::cli::mcp {

/// The longest accepted message in bytes. Requests of this server are short.
inline constexpr std::size_t max_message = std::size_t{1} << 20;

/// A request or, if it has no id, a notification. Responses, which this server never asks for, have no
/// method.
struct Message {
  std::string id = {};      ///< as JSON: a number or a string; empty if there is none
  std::string method = {};  ///< empty for a response
  OptionValues params = {};
  OptionValues arguments = {};  ///< the member `arguments` of the parameters
  /// The names of arguments that are objects, or arrays of anything but strings and numbers.
  std::vector<std::string> unusable = {};
  OptionValues meta = {};  ///< the member `_meta` of the parameters

  [[nodiscard]] bool is_request() const { return !id.empty() && !method.empty(); }
};

/// The codes of errors in the protocol. Failures of tools are results instead.
enum class ErrorCode : std::int16_t {
  parse_error = -32700,
  invalid_request = -32600,
  unknown_method = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  resource_not_found = -32002,
  unsupported_version = -32022,
};

struct ProtocolError {
  ErrorCode code{};
  std::string message;
  std::string id = {};    ///< of the request, as JSON, if it is known
  std::string data = {};  ///< as JSON; empty if there is none
};

/// Parses one line. Never throws except std::bad_alloc.
[[nodiscard]] std::expected<Message, ProtocolError> parse_message(std::string_view line);

/// The string with that name, or an empty one if there is none.
[[nodiscard]] std::string find_text(const OptionValues& values, std::string_view name);

/// The value as JSON, if it can identify a request or its progress: a string or a number. Otherwise, nothing.
[[nodiscard]] std::string make_id(const OptionValue& value);

/// Text as a JSON string, with all characters escaped that could affect how it is displayed.
[[nodiscard]] std::string quote(std::string_view text);

/// The response with a result, which is JSON. Like all lines that are made here, it has no line end.
[[nodiscard]] std::string make_response(std::string_view id, std::string_view result);
[[nodiscard]] std::string make_error(const ProtocolError& error);
/// `params` is JSON.
[[nodiscard]] std::string make_notification(std::string_view method, std::string_view params);

}  // namespace heapcheck::cli::mcp
