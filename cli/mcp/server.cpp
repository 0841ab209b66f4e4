#include "cli/mcp/server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <expected>
#include <utility>

#include "cli/mcp/schemas.hpp"
#include "cli/mcp/texts.hpp"
#include "cli/mcp/tools.hpp"
#include "formats/core/output/json_writer.hpp"
#include "formats/core/text/excerpt.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli::mcp {
namespace {

using core::JsonWriter;
/// A result as JSON, or what is wrong with the request.
using Outcome = std::expected<std::string, ProtocolError>;

std::unexpected<ProtocolError> refuse(ErrorCode code, std::string why, std::string data = {}) {
  return std::unexpected(ProtocolError{.code = code, .message = std::move(why), .data = std::move(data)});
}

/// A JSON object; `write` writes its members.
template <class Write>
std::string make_object(const Write& write) {
  std::string out;
  JsonWriter json(out, core::JsonLayout::line);
  json.begin_object();
  write(json);
  json.end_object();
  return out;
}

void write_versions(JsonWriter& json, std::string_view key) {
  json.begin_array(key);
  json.string(modern_version);
  for (const std::string_view known : handshake_versions) json.string(known);
  json.end_array();
}

/// What the server can do, in the same form for all revisions.
void write_capabilities(JsonWriter& json) {
  json.begin_object("capabilities");
  for (const std::string_view capability : {"tools", "resources", "prompts"}) {
    json.begin_object(capability);
    json.end_object();
  }
  json.end_object();
}

void write_server_info(JsonWriter& json, std::string_view key) {
  json.begin_object(key);
  json.member("name", "heapcheck");
  json.member("title", "heapcheck");
  json.member("version", version());
  json.end_object();
}

Outcome initialize(const Message& request) {
  const std::string asked = find_text(request.params, "protocolVersion");
  if (asked.empty()) return refuse(ErrorCode::invalid_params, "found no `protocolVersion`, expected one");
  const auto known = std::ranges::find(handshake_versions, asked);
  return make_object([&](JsonWriter& json) {
    json.member("protocolVersion", known == std::end(handshake_versions) ? handshake_versions[0] : *known);
    write_capabilities(json);
    write_server_info(json, "serverInfo");
    json.member("instructions", instructions());
  });
}

Outcome discover() {
  return make_object([](JsonWriter& json) {
    write_versions(json, "supportedVersions");
    write_capabilities(json);
    json.member("instructions", instructions());
  });
}

Outcome list_tools() {
  return make_object([](JsonWriter& json) {
    json.begin_array("tools");
    for (const Tool& tool : tools()) write_tool(json, tool);
    json.end_array();
  });
}

Outcome read(const Message& request) {
  const std::string uri = find_text(request.params, "uri");
  const auto found = read_resource(uri);
  if (!found)
    return refuse(ErrorCode::resource_not_found,
                  fmt::format("found the resource \"{}\", expected one that `resources/list` lists, or "
                              "heapcheck://rules/ID",
                              core::make_excerpt(uri)));
  return make_object([&](JsonWriter& json) {
    json.begin_array("contents");
    json.begin_object();
    json.member("uri", uri);
    json.member("mimeType", found->type);
    json.member("text", found->text);
    json.end_object();
    json.end_array();
  });
}

Outcome get_prompt(const Message& request) {
  const auto text = make_prompt(find_text(request.params, "name"), request.arguments);
  if (!text) return refuse(ErrorCode::invalid_params, text.error().message);
  return make_object([&](JsonWriter& json) {
    json.begin_array("messages");
    json.begin_object();
    json.member("role", "user");
    json.begin_object("content");
    json.member("type", "text");
    json.member("text", *text);
    json.end_object();
    json.end_object();
    json.end_array();
  });
}

Outcome call(Session& session, const Message& request, const Work& work) {
  const std::string name = find_text(request.params, "name");
  const Tool* const tool = find_tool(name);
  if (tool == nullptr)
    return refuse(
        ErrorCode::invalid_params,
        fmt::format("found the tool \"{}\", expected one that `tools/list` lists", core::make_excerpt(name)));
  return session.call(*tool, request, work);
}

/// All lists fit into one page, so no cursor is valid.
bool is_list(std::string_view method) { return method.ends_with("/list"); }

Outcome dispatch(Session& session, const Message& request, const Work& work) {
  const std::string& method = request.method;
  if (is_list(method) && !find_text(request.params, "cursor").empty())
    return refuse(ErrorCode::invalid_params, "found a cursor, expected none");
  if (method == "initialize") return initialize(request);
  if (method == "server/discover") return discover();
  if (method == "ping") return "{}";
  if (method == "tools/list") return list_tools();
  if (method == "tools/call") return call(session, request, work);
  if (method == "resources/list") return make_object(write_resources);
  if (method == "resources/templates/list") return make_object(write_resource_templates);
  if (method == "resources/read") return read(request);
  if (method == "prompts/list") return make_object(write_prompts);
  if (method == "prompts/get") return get_prompt(request);
  return refuse(
      ErrorCode::unknown_method,
      fmt::format("found the method \"{}\", which this server does not have", core::make_excerpt(method)));
}

/// Adds the members that results have since the revision without a handshake.
std::string add_modern_members(std::string result, const std::string& method) {
  std::string added = make_object([&](JsonWriter& json) {
    json.member("resultType", "complete");
    if (is_list(method) || method == "resources/read" || method == "server/discover") {
      json.member("ttlMs", std::uint64_t{3'600'000});  // they change only with the program
      json.member("cacheScope", "public");
    }
    json.begin_object("_meta");
    write_server_info(json, "io.modelcontextprotocol/serverInfo");
    json.end_object();
  });
  if (result.size() > 2) added.back() = ',';
  return added + result.substr(result.size() > 2 ? 1 : 2);
}

}  // namespace

std::string Server::answer(const Message& request, const Work& work) {
  const std::string asked = find_text(request.meta, "io.modelcontextprotocol/protocolVersion");
  const bool is_known = asked.empty() || asked == modern_version ||
                        std::ranges::find(handshake_versions, asked) != std::end(handshake_versions);
  auto outcome = is_known ? dispatch(session_, request, work)
                          : refuse(ErrorCode::unsupported_version, "found an unknown version of the protocol",
                                   make_object([&](JsonWriter& json) {
                                     write_versions(json, "supported");
                                     json.member("requested", asked);
                                   }));
  if (!outcome) {
    outcome.error().id = request.id;
    return make_error(outcome.error());
  }
  if (asked == modern_version) outcome = add_modern_members(std::move(*outcome), request.method);
  return make_response(request.id, *outcome);
}

std::string Server::answer_line(std::string_view line, const Work& work) {
  const auto message = parse_message(line);
  if (!message) return make_error(message.error());
  return message->is_request() ? answer(*message, work) : std::string();
}

}  // namespace heapcheck::cli::mcp
