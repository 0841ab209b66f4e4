#include "cli/mcp/message.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "formats/core/bytes.hpp"
#include "formats/core/json/option_values.hpp"
#include "formats/core/json/reader.hpp"
#include "formats/core/output/json_writer.hpp"
#include "formats/core/source.hpp"
#include "formats/core/window.hpp"

namespace heapcheck::cli::mcp {
namespace {

using core::JsonReader;
using core::JsonToken;

/// Real requests have fewer than ten levels.
constexpr std::uint64_t max_depth = 64;

std::unexpected<ProtocolError> refuse_request(const Message& message, std::string why) {
  return std::unexpected(ProtocolError{ErrorCode::invalid_request, std::move(why), message.id});
}

std::unexpected<ProtocolError> refuse_syntax(const JsonReader& json) {
  const std::string what = json.error()
                               ? fmt::format("{} at byte {}", json.error()->message, json.error()->offset)
                               : "found more text, expected the end of the message";
  return std::unexpected(ProtocolError{ErrorCode::parse_error, "not a JSON document: " + what});
}

/// Reads the value of a member into the message. Returns what is wrong with it, or nothing. Errors of syntax
/// are left in the reader.
std::optional<std::string> read_member(JsonReader& json, std::string_view key, Message& message) {
  if (key == "params") {
    if (json.next() != JsonToken::object_begin) return "found no object after `params`";
    const core::InnerValues inner[] = {
        {.key = "arguments",
         .values = &message.arguments,
         .others = core::OtherValues::skip,
         .skipped = &message.unusable},
        {.key = "_meta", .values = &message.meta, .others = core::OtherValues::skip}};
    auto params = core::read_option_values(json, core::OtherValues::skip, inner);
    if (!params) return params.error().message;
    message.params = std::move(*params);
    return {};
  }
  const bool is_known = key == "jsonrpc" || key == "id" || key == "method";
  const JsonToken token = is_known ? json.next() : json.skip_value();
  if (key == "jsonrpc" && json.text() != "2.0") return "found another version of JSON-RPC, expected 2.0";
  if (key == "method" && token != JsonToken::string) return "found a method that is not a string";
  if (key == "method") message.method = json.text();
  if (key == "id") {
    const bool is_number = token == JsonToken::number && (json.as_unsigned() || json.as_signed());
    if (token != JsonToken::string && !is_number)
      return "found an id that is neither a string nor an integer";
    message.id = is_number ? std::string(json.text()) : quote(json.text());
  }
  return {};
}

std::expected<Message, ProtocolError> read_message(JsonReader& json) {
  Message message;
  std::optional<std::string> wrong;
  bool has_version = false;
  while (json.next() == JsonToken::key) {
    const std::string key(json.text());
    has_version = has_version || key == "jsonrpc";
    auto found = read_member(json, key, message);
    // What is wrong is reported at the end, because only then the id is known.
    while (!json.error() && json.depth() > 1) json.next();
    if (json.error()) break;
    if (found && !wrong) wrong = std::move(found);
  }
  if (json.error()) return refuse_syntax(json);
  if (wrong) return refuse_request(message, std::move(*wrong));
  if (json.next() != JsonToken::end || json.skip_whitespace()) return refuse_syntax(json);
  if (!has_version) return refuse_request(message, "found no member `jsonrpc`, expected version 2.0");
  return message;
}

}  // namespace

std::expected<Message, ProtocolError> parse_message(std::string_view line) {
  if (line.size() > max_message)
    return std::unexpected(ProtocolError{
        ErrorCode::invalid_request,
        fmt::format("found a message of more than {0} bytes, expected at most {0}", max_message)});
  core::MemorySource source(core::as_bytes(line));
  core::Window window(source);
  JsonReader json(window, Limits{.max_json_depth = max_depth});
  const JsonToken first = json.next();
  if (first == JsonToken::array_begin)
    return refuse_request({}, "found an array, expected one message: batches are not part of the protocol");
  if (first == JsonToken::object_begin) return read_message(json);
  if (json.error()) return refuse_syntax(json);
  return refuse_request({}, "found no object, expected a message");
}

std::string find_text(const OptionValues& values, std::string_view name) {
  const auto found = values.find(name);
  const auto* text = found == values.end() ? nullptr : std::get_if<std::string>(&found->second);
  return text == nullptr ? std::string() : *text;
}

std::string make_id(const OptionValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return quote(*text);
  if (const auto* count = std::get_if<std::uint64_t>(&value)) return fmt::to_string(*count);
  const auto* number = std::get_if<double>(&value);
  constexpr double most = 9007199254740992.0;  // above this, not every integer is a double
  if (number == nullptr || std::abs(*number) > most || *number != std::trunc(*number)) return {};
  return fmt::to_string(static_cast<std::int64_t>(*number));
}

std::string quote(std::string_view text) {
  std::string out;
  core::JsonWriter(out, core::JsonLayout::line).string(text);
  return out;
}

std::string make_response(std::string_view id, std::string_view result) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{}}})", id, result);
}

std::string make_error(const ProtocolError& error) {
  const std::string data = error.data.empty() ? std::string() : R"(,"data":)" + error.data;
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"error":{{"code":{},"message":{}{}}}}})",
                     error.id.empty() ? "null" : error.id, static_cast<int>(error.code), quote(error.message),
                     data);
}

std::string make_notification(std::string_view method, std::string_view params) {
  return fmt::format(R"({{"jsonrpc":"2.0","method":{},"params":{}}})", quote(method), params);
}

}  // namespace heapcheck::cli::mcp
