#include "formats/detect.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "formats/core/json/reader.hpp"
#include "formats/core/source.hpp"
#include "formats/v8/heapsnapshot/layout.hpp"

namespace heapcheck::formats {
namespace {

using core::JsonToken;

struct TopKey {
  std::string_view key;
  JsonKind kind;
};
constexpr std::array top_keys{
    TopKey{"traceEvents", JsonKind::trace},
    TopKey{"snapshot", JsonKind::v8_heapsnapshot},
    TopKey{"head", JsonKind::v8_heapprofile},
};

/// Members that a trace object may have in addition to its events. spec: chrome/trace.md#container
constexpr std::array<std::string_view, 4> trace_keys{"displayTimeUnit", "otherData", "systemTraceEvents",
                                                     "controllerTraceDataKey"};

/// The kind of a document in which nothing was recognised up to its end or in its first bytes.
std::optional<JsonKind> find_unrecognised_kind(const core::JsonReader& json, bool is_all) {
  if (!json.error()) return JsonKind::other;
  if (json.error()->kind != core::JsonErrorKind::truncated) return std::nullopt;
  return is_all ? JsonKind::cut : JsonKind::open;
}

/// The kind of file to which the object in the `head` member belongs.
JsonKind find_head_kind(core::JsonReader& json) {
  if (json.next() != JsonToken::object_begin) return JsonKind::v8_heapprofile;
  while (json.next() == JsonToken::key) {
    if (json.text() == "callFrame" || json.text() == "selfSize") break;
    if (json.text() == "hitCount" || json.text() == "callUID") return JsonKind::v8_cpuprofile;
    json.skip_value();
  }
  return JsonKind::v8_heapprofile;
}

/// Returns whether the array in the `samples` member belongs to a heap profile. Stops inside the array or
/// after the value.
bool has_heap_samples(core::JsonReader& json) {
  if (json.next() == JsonToken::array_begin && json.next() == JsonToken::object_begin) {
    while (json.next() == JsonToken::key) {
      if (json.text() == "nodeId" || json.text() == "ordinal") return true;
      json.skip_value();
    }
  }
  while (json.depth() > 1 && json.token() != JsonToken::error) json.skip_rest();
  return false;
}

/// Returns whether the value of the member `type` is one of WebKit's heap snapshots.
bool has_type_of_webkit(core::JsonReader& json) {
  if (json.next() == JsonToken::string) return json.text() == "Inspector" || json.text() == "GCDebugging";
  while (json.depth() > 1 && json.token() != JsonToken::error) json.skip_rest();
  return false;
}

/// Returns whether the array in the member `nodes` or `edges` belongs to a heap snapshot whose header comes
/// later. Stops inside the array or after the value.
bool has_numbers(core::JsonReader& json) {
  if (json.next() == JsonToken::array_begin && json.next() == JsonToken::number) return true;
  while (json.depth() > 1 && json.token() != JsonToken::error) json.skip_rest();
  return false;
}

/// Returns whether the array in the `strings` member begins as in V8's heap snapshots. Stops inside the array
/// or after the value.
bool has_strings_of_v8(core::JsonReader& json) {
  if (json.next() == JsonToken::array_begin && json.next() == JsonToken::string &&
      json.text() == v8::heapsnapshot::first_string_of_v8)
    return true;
  while (json.depth() > 1 && json.token() != JsonToken::error) json.skip_rest();
  return false;
}

std::optional<JsonKind> find_object_kind(core::JsonReader& json, bool is_all) {
  bool looks_like_trace = false;
  while (json.next() == JsonToken::key) {
    const auto found = std::ranges::find(top_keys, json.text(), &TopKey::key);
    if (found != top_keys.end())
      return found->kind == JsonKind::v8_heapprofile ? find_head_kind(json) : found->kind;
    const bool is_samples = json.text() == "samples";
    const bool is_graph = json.text() == "nodes" || json.text() == "edges";
    const bool is_strings = json.text() == "strings";
    const bool is_type = json.text() == "type";
    looks_like_trace = looks_like_trace || std::ranges::find(trace_keys, json.text()) != trace_keys.end();
    if (is_samples && has_heap_samples(json)) return JsonKind::v8_heapprofile;
    if (is_graph && has_numbers(json)) return JsonKind::v8_heapsnapshot;
    if (is_strings && has_strings_of_v8(json)) return JsonKind::v8_heapsnapshot;
    if (is_type && has_type_of_webkit(json)) return JsonKind::webkit_snapshot;
    if (!is_samples && !is_graph && !is_strings && !is_type) json.skip_value();
  }
  return looks_like_trace ? JsonKind::trace : find_unrecognised_kind(json, is_all);
}

/// An array is a trace if it is empty or if one of its elements is an event, which is an object with a `ph`
/// member.
std::optional<JsonKind> find_array_kind(core::JsonReader& json, bool is_all) {
  JsonToken element = json.next();
  if (element == JsonToken::array_end) return JsonKind::trace;
  if (element == JsonToken::error && find_unrecognised_kind(json, is_all) == JsonKind::cut)
    return JsonKind::trace;
  for (; element == JsonToken::object_begin; element = json.next()) {
    while (json.next() == JsonToken::key) {
      if (json.text() == "ph") return JsonKind::trace;
      json.skip_value();
    }
    if (json.token() == JsonToken::error) break;
  }
  return find_unrecognised_kind(json, is_all);
}

/// Returns whether a damaged object has a `traceEvents` member whose value is an array.
bool names_events(std::string_view text) {
  constexpr std::string_view name = "\"traceEvents\"";
  const std::size_t begin = text.find(name);
  if (begin == std::string_view::npos) return false;
  const auto skip = [&text](std::size_t count) {
    text.remove_prefix(count);
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  };
  skip(begin + name.size());
  if (!text.starts_with(':')) return false;
  skip(1);
  return text.starts_with('[');
}

}  // namespace

bool has_only_header(core::ByteSpan bytes) {
  core::MemorySource source(bytes);
  core::Window window(source);
  core::JsonReader json(window, Limits{});
  if (json.next() != JsonToken::object_begin || json.next() != JsonToken::key || json.text() != "snapshot")
    return false;
  json.skip_value();
  return json.next() == JsonToken::object_end;
}

std::optional<JsonKind> find_json_kind(core::ByteSpan first_bytes, bool is_all) {
  core::MemorySource source(first_bytes);
  core::Window window(source);
  core::json::skip_byte_order_mark(window);
  core::JsonReader json(window, Limits{});
  const JsonToken token = json.next();
  if (token == JsonToken::object_begin) {
    const auto kind = find_object_kind(json, is_all);
    return !kind && names_events(core::as_text(first_bytes)) ? JsonKind::trace : kind;
  }
  if (token == JsonToken::array_begin) return find_array_kind(json, is_all);
  return std::nullopt;
}

}  // namespace heapcheck::formats
