#include "formats/v8/heapsnapshot/header_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/core/excerpt.hpp"
#include "formats/core/json/faults.hpp"
#include "formats/v8/heapsnapshot/faults.hpp"
#include "formats/v8/heapsnapshot/spelling.hpp"

namespace heapcheck::v8::heapsnapshot {
namespace {

using core::JsonToken;

/// The members of one object that were seen so far.
class Members {
 public:
  /// Whether `key`, the reader's current token, is new; else says so, and the value is to be skipped.
  bool add(Reading& reading, std::string_view path, std::string_view key) {
    if (std::ranges::find(seen_, key) == seen_.end()) {
      if (seen_.size() < max_seen) seen_.emplace_back(key);
      return true;
    }
    reading.report(core::rules::json_object_duplicate_key, reading.json.span(),
                   fmt::format("{}/{}", path, core::make_excerpt(key)),
                   fmt::format("has a second member `{}`", core::make_excerpt(key)));
    reading.json.skip_value();
    return false;
  }

 private:
  static constexpr std::size_t max_seen = 64;  // more have no meaning
  std::vector<std::string> seen_;
};

/// Where a list of names stands, and what is wrong where it is none.
void report_type(Reading& reading, const std::string& path, std::string_view required) {
  const Span span = reading.json.span();
  std::string message = fmt::format("is {}, {} is required", describe_value(reading.json), required);
  reading.skip_current();
  if (reading.goes_on()) reading.report(rules::meta_type, span, path, std::move(message));
}

/// The current string as UTF-8, which has no halves of surrogate pairs.
std::string take_name(const Reading& reading) {
  if (!reading.json.lone_surrogate()) return std::string(reading.json.text());
  std::string spelling;
  append_spelling(reading.json.text(), spelling);
  return decode_spelling(spelling);
}

/// The names in the array that begins at the current token.
std::optional<std::vector<std::string>> read_names(Reading& reading, const std::string& path) {
  if (reading.json.token() != JsonToken::array_begin) {
    report_type(reading, path, "a list of names");
    return std::nullopt;
  }
  reading.mark();
  std::vector<std::string> names;
  bool is_right = true;
  while (reading.json.next() != JsonToken::array_end) {
    if (!reading.goes_on()) return std::nullopt;
    reading.mark();
    if (reading.json.token() == JsonToken::string) {
      names.push_back(take_name(reading));
      if (!reading.charge(names.back().size() + sizeof(std::string), reading.json.span().offset, path))
        return std::nullopt;
    } else {
      report_type(reading, fmt::format("{}/{}", path, names.size()), "a name");
      is_right = false;
    }
  }
  return is_right ? std::optional(std::move(names)) : std::nullopt;
}

/// What stands in `node_types` or `edge_types`.
std::optional<std::vector<FieldType>> read_types(Reading& reading, const std::string& path) {
  if (reading.json.token() != JsonToken::array_begin) {
    report_type(reading, path, "a list of types");
    return std::nullopt;
  }
  reading.mark();
  std::vector<FieldType> types;
  while (reading.json.next() != JsonToken::array_end) {
    if (!reading.goes_on() || !reading.charge(sizeof(FieldType), reading.json.span().offset, path))
      return std::nullopt;
    if (reading.json.token() == JsonToken::string) {
      reading.mark();
      types.push_back({false, {take_name(reading)}});
      continue;
    }
    auto names = read_names(reading, fmt::format("{}/{}", path, types.size()));
    if (!reading.goes_on()) return std::nullopt;
    types.push_back({true, names ? std::move(*names) : std::vector<std::string>()});
  }
  return types;
}

/// How many columns of the trace tree are none of V8's.
std::uint64_t count_unknown(const std::vector<std::string>& names) {
  return static_cast<std::uint64_t>(std::ranges::count_if(names, [](const std::string& name) {
    return std::ranges::find(tree_fields, name) == tree_fields.end();
  }));
}

void read_meta_member(Reading& reading, Snapshot& snapshot, const std::string& key) {
  const std::string path = "/snapshot/meta/" + key;
  const auto* const info = std::ranges::find(sections, key, &SectionInfo::fields);
  const bool is_fields = info != sections.end() && !info->fields.empty();
  if (!is_fields && key != "node_types" && key != "edge_types") {
    ++snapshot.unknown_members;
    return reading.skip_unknown();
  }
  Schema& schema = snapshot.schema;
  reading.json.next();
  if (!reading.goes_on()) return;
  if (key == "node_types") {
    schema.node_types = read_types(reading, path);
  } else if (key == "edge_types") {
    schema.edge_types = read_types(reading, path);
  } else {
    auto& fields = schema.fields[static_cast<std::size_t>(info - sections.begin())];
    fields = read_names(reading, path);
    if (fields && info->name == name_of(Section::trace_tree))
      snapshot.unknown_members += count_unknown(*fields);
  }
}

void read_meta(Reading& reading, Snapshot& snapshot) {
  snapshot.schema.is_present = true;
  if (reading.json.next() == JsonToken::error) return;
  const std::uint64_t offset = reading.json.span().offset;
  if (reading.json.token() != JsonToken::object_begin)
    return report_type(reading, "/snapshot/meta", "an object");
  Members members;
  while (reading.json.next() == JsonToken::key) {
    const std::string key(reading.json.text());
    reading.mark();
    if (members.add(reading, "/snapshot/meta", key)) read_meta_member(reading, snapshot, key);
    if (!reading.goes_on()) return;
  }
  snapshot.schema.span = {offset, reading.json.span().end() - offset};
  snapshot.schema.is_sound = !reading.has_reported(rules::meta_type);
}

void read_count(Reading& reading, std::optional<HeaderNumber>& number, const std::string& path) {
  if (reading.json.next() == JsonToken::error) return;
  const Span span = reading.json.span();
  if (const auto value = reading.json.as_unsigned(); value && reading.json.token() == JsonToken::number) {
    number = HeaderNumber{*value, span};
    return;
  }
  std::string message = fmt::format("is {}, an integer from 0 on is required", describe_value(reading.json));
  reading.skip_current();
  if (reading.goes_on()) reading.report(rules::header_type, span, path, std::move(message));
}

void read_header_member(Reading& reading, Snapshot& snapshot, const std::string& key) {
  if (key == "meta") return read_meta(reading, snapshot);
  const auto* const found = std::ranges::find(header_members, key, &HeaderMember::name);
  if (found == std::end(header_members)) {
    ++snapshot.unknown_members;
    return reading.skip_unknown();
  }
  read_count(reading, snapshot.header.*(found->number), "/snapshot/" + key);
}

}  // namespace

void read_header(Reading& reading, Snapshot& snapshot) {
  snapshot.header.is_present = true;
  if (reading.json.next() == JsonToken::error) return;
  const Span span = reading.json.span();
  if (reading.json.token() != JsonToken::object_begin) {
    std::string message = fmt::format("is {}, an object is required", describe_value(reading.json));
    reading.skip_current();
    if (reading.goes_on()) reading.report(rules::header_type, span, "/snapshot", std::move(message));
    return;
  }
  Members members;
  while (reading.json.next() == JsonToken::key) {
    const std::string key(reading.json.text());
    reading.mark();
    if (members.add(reading, "/snapshot", key)) read_header_member(reading, snapshot, key);
    if (!reading.goes_on()) return;
  }
  snapshot.header.span = {span.offset, reading.json.span().end() - span.offset};
  snapshot.header.is_sound = !reading.has_reported(rules::header_type);
}

}  // namespace heapcheck::v8::heapsnapshot
