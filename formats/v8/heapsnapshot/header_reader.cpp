#include "formats/v8/heapsnapshot/context.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/core/text/excerpt.hpp"
#include "formats/v8/heapsnapshot/faults.hpp"
#include "formats/v8/heapsnapshot/string_table.hpp"

namespace heapcheck::v8::heapsnapshot {
namespace {

using core::JsonToken;

/// The members seen so far in one object.
class Members {
 public:
  /// Adds `key`, the reader's current token, and returns whether the key is new. If it is not, reports it and
  /// skips its value.
  bool add(Context& context, std::string_view path, std::string_view key) {
    if (std::ranges::find(seen_, key) == seen_.end()) {
      if (seen_.size() < max_seen) seen_.emplace_back(key);
      return true;
    }
    context.refuse_repeated(
        fmt::format("{}/{}", path, core::make_opening(key)),
        fmt::format("the object has a second member `{}`, expected only one", core::make_excerpt(key)));
    return false;
  }

 private:
  static constexpr std::size_t max_seen = 64;  // no known object has more members
  std::vector<std::string> seen_;
};

/// Reads the members of the object that begins at the current token by calling `read_member` with the name of
/// each member. Returns false if reading had to stop inside a member.
bool read_members(Context& context, Snapshot& snapshot, std::string_view path,
                  void (*read_member)(Context&, Snapshot&, const std::string&)) {
  Members members;
  while (context.json.next() == JsonToken::key) {
    const std::string key(context.json.text());
    context.mark();
    if (members.add(context, path, key)) read_member(context, snapshot, key);
    if (!context.goes_on()) return false;
  }
  return true;
}

/// Reports that the current value is not of the expected type, and skips it.
void report_type(Context& context, const std::string& path, std::string_view expected) {
  const Span span = context.json.span();
  std::string message = fmt::format("found {}, expected {}", describe_value(context.json), expected);
  context.skip_nested();
  if (context.goes_on()) context.report(rules::meta_type, span, path, std::move(message));
}

/// The current string as UTF-8, which cannot represent half a surrogate pair.
std::string take_name(const Context& context) {
  if (!context.json.lone_surrogate()) return std::string(context.json.text());
  std::string spelling;
  append_spelling(context.json.text(), spelling);
  return decode_spelling(spelling);
}

/// The names in the array that begins at the current token. Reports the first element that is not a name.
std::optional<std::vector<std::string>> read_names(Context& context, const std::string& path) {
  if (context.json.token() != JsonToken::array_begin) {
    report_type(context, path, "a list of names");
    return std::nullopt;
  }
  context.mark();
  std::vector<std::string> names;
  bool is_right = true;
  while (context.json.next() != JsonToken::array_end) {
    if (!context.goes_on()) return std::nullopt;
    context.mark();
    if (context.json.token() == JsonToken::string) {
      names.push_back(take_name(context));
      if (!context.take_memory(names.back().size() + sizeof(std::string), context.json.span().offset, path))
        return std::nullopt;
      // Only the first wrong element is reported, because the others are likely to have the same cause.
    } else if (is_right) {
      report_type(context, fmt::format("{}/{}", path, names.size()), "a name");
      is_right = false;
    } else {
      context.skip_nested();
    }
  }
  return is_right ? std::optional(std::move(names)) : std::nullopt;
}

/// The content of `node_types` or `edge_types`.
std::optional<std::vector<FieldType>> read_types(Context& context, const std::string& path) {
  if (context.json.token() != JsonToken::array_begin) {
    report_type(context, path, "a list of types");
    return std::nullopt;
  }
  context.mark();
  std::vector<FieldType> types;
  while (context.json.next() != JsonToken::array_end) {
    if (!context.goes_on() || !context.take_memory(sizeof(FieldType), context.json.span().offset, path))
      return std::nullopt;
    if (context.json.token() == JsonToken::string) {
      context.mark();
      types.push_back({false, {take_name(context)}});
      continue;
    }
    auto names = read_names(context, fmt::format("{}/{}", path, types.size()));
    if (!context.goes_on()) return std::nullopt;
    // A list that cannot be read still takes up its place, because types belong to columns by position.
    types.push_back({true, names ? std::move(*names) : std::vector<std::string>()});
  }
  return types;
}

/// The number of columns of the trace tree that V8 does not write.
std::uint64_t count_unknown(const std::vector<std::string>& names) {
  return static_cast<std::uint64_t>(std::ranges::count_if(names, [](const std::string& name) {
    return std::ranges::find(tree_fields, name) == tree_fields.end();
  }));
}

void read_meta_member(Context& context, Snapshot& snapshot, const std::string& key) {
  const std::string path = "/snapshot/meta/" + key;
  const auto info = std::ranges::find(sections, key, &SectionInfo::fields);
  const bool is_fields = info != sections.end() && !info->fields.empty();
  if (!is_fields && key != "node_types" && key != "edge_types") {
    ++snapshot.unknown_members;
    return context.skip_unknown();
  }
  Schema& schema = snapshot.schema;
  context.json.next();
  if (!context.goes_on()) return;
  if (key == "node_types") {
    schema.node_types = read_types(context, path);
  } else if (key == "edge_types") {
    schema.edge_types = read_types(context, path);
  } else {
    auto& fields = schema.fields[static_cast<std::size_t>(info - sections.begin())];
    fields = read_names(context, path);
    // The model of the tree only has V8's columns, so any other columns are lost when the tree is written.
    if (fields && info->name == name_of(Section::trace_tree))
      snapshot.unknown_members += count_unknown(*fields);
  }
}

void read_meta(Context& context, Snapshot& snapshot) {
  snapshot.schema.is_present = true;
  if (context.json.next() == JsonToken::error) return;
  const std::uint64_t offset = context.json.span().offset;
  if (context.json.token() != JsonToken::object_begin)
    return report_type(context, "/snapshot/meta", "an object");
  if (!read_members(context, snapshot, "/snapshot/meta", read_meta_member)) return;
  snapshot.schema.span = {offset, context.json.span().end() - offset};
  snapshot.schema.is_sound = !context.has_reported(rules::meta_type);
}

void read_count(Context& context, std::optional<HeaderNumber>& number, const std::string& path) {
  if (context.json.next() == JsonToken::error) return;
  const Span span = context.json.span();
  if (const auto value = context.json.as_unsigned(); value && context.json.token() == JsonToken::number) {
    number = HeaderNumber{*value, span};
    return;
  }
  std::string message =
      fmt::format("found {}, expected an integer from 0 to 2^64 - 1", describe_value(context.json));
  context.skip_nested();
  if (context.goes_on()) context.report(rules::header_type, span, path, std::move(message));
}

void read_header_member(Context& context, Snapshot& snapshot, const std::string& key) {
  if (key == "meta") return read_meta(context, snapshot);
  const auto* const found = std::ranges::find(header_members, key, &HeaderMember::name);
  if (found == std::end(header_members)) {
    ++snapshot.unknown_members;
    return context.skip_unknown();
  }
  read_count(context, snapshot.header.*(found->number), "/snapshot/" + key);
}

}  // namespace

void read_header(Context& context, Snapshot& snapshot) {
  snapshot.header.is_present = true;
  if (context.json.next() == JsonToken::error) return;
  const Span span = context.json.span();
  if (context.json.token() != JsonToken::object_begin) {
    std::string message = fmt::format("found {}, expected an object", describe_value(context.json));
    context.skip_nested();
    if (context.goes_on()) context.report(rules::header_type, span, "/snapshot", std::move(message));
    return;
  }
  if (!read_members(context, snapshot, "/snapshot", read_header_member)) return;
  snapshot.header.span = {span.offset, context.json.span().end() - span.offset};
  snapshot.header.is_sound = !context.has_reported(rules::header_type);
}

}  // namespace heapcheck::v8::heapsnapshot
