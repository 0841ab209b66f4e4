#include "bindings/wasm/request.hpp"

#include <utility>

#include "formats/core/bytes.hpp"
#include "formats/core/json/option_values.hpp"
#include "formats/core/json/reader.hpp"
#include "formats/core/source.hpp"
#include "formats/core/window.hpp"

namespace heapcheck::wasm {
namespace {

template <class Value>
Value find(const OptionValues& values, std::string_view name, Value otherwise) {
  const auto found = values.find(name);
  const Value* const value = found == values.end() ? nullptr : std::get_if<Value>(&found->second);
  return value == nullptr ? std::move(otherwise) : *value;
}

}  // namespace

std::string Request::text(std::string_view name) const { return find(values, name, std::string()); }
std::uint64_t Request::count(std::string_view name, std::uint64_t otherwise) const {
  return find(values, name, otherwise);
}
bool Request::flag(std::string_view name) const { return find(values, name, false); }
std::optional<double> Request::share(std::string_view name) const {
  const auto found = values.find(name);
  if (found == values.end()) return std::nullopt;
  if (const auto* const count = std::get_if<std::uint64_t>(&found->second))
    return static_cast<double>(*count);
  const auto* const number = std::get_if<double>(&found->second);
  return number == nullptr ? std::nullopt : std::optional(*number);
}
std::vector<std::string> Request::strings(std::string_view name) const {
  const auto found = values.find(name);
  if (found == values.end()) return {};
  if (const auto* const one = std::get_if<std::string>(&found->second)) return {*one};
  const auto* const several = std::get_if<std::vector<std::string>>(&found->second);
  return several == nullptr ? std::vector<std::string>() : *several;
}

Result<Request> parse_request(std::string_view text) {
  core::MemorySource source(core::as_bytes(text));
  core::Window window(source);
  core::JsonReader json(window, Limits{});
  if (json.next() != core::JsonToken::object_begin)
    return std::unexpected(Error{ErrorKind::unsupported, "in the request, found no JSON object"});
  Request request;
  const core::InnerValues inner[] = {{.key = "options", .values = &request.options}};
  auto values = core::read_option_values(json, core::OtherValues::refuse, inner);
  if (!values) return std::unexpected(values.error());
  request.values = std::move(*values);
  return request;
}

}  // namespace heapcheck::wasm
