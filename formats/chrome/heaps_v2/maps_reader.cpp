#include "formats/chrome/heaps_v2/context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "formats/chrome/heaps_v2/faults.hpp"
#include "formats/core/codec.hpp"
#include "formats/core/finding_groups.hpp"
#include "formats/core/json/faults.hpp"
#include "formats/core/json/leaf.hpp"

namespace heapcheck::chrome::heaps_v2 {
namespace {

using core::JsonPath;
using core::JsonToken;

/// The members of a row, each of which is one bit in a set.
enum Member : unsigned { id = 1, name_sid = 2, name = 4, parent = 8, string = 16 };

/// A row that is read token by token. Rows without a usable id are also kept, so that later rows keep their
/// numbers.
struct Row {
  unsigned has = 0;
  std::uint64_t id = no_id;
  std::uint64_t name_sid = no_id;
  std::uint64_t parent = no_id;
  core::PoolIndex text = no_text;
};

unsigned find_member(std::string_view key) {
  if (key == "id") return Member::id;
  if (key == "name_sid") return Member::name_sid;
  if (key == "parent" || key == "parent_id") return Member::parent;
  if (key == "name") return Member::name;
  if (key == "string") return Member::string;
  return 0;
}

/// The properties of a map that determine how its rows are read.
struct Kind {
  std::string_view prefix;
  unsigned members;  ///< the members that its rows may have
  bool is_names;     ///< whether rows have names rather than strings
};
constexpr Kind strings_kind{"/maps/strings", Member::id | Member::string, false};
constexpr Kind types_kind{"/maps/types", Member::id | Member::name_sid | Member::name, true};
constexpr Kind nodes_kind{"/maps/nodes", Member::id | Member::name_sid | Member::name | Member::parent, true};

/// The memory in bytes that a row takes without its string, including the memory for resolving its id.
constexpr std::uint64_t row_bytes = 80;

void append(StringMap& map, const Row& row) {
  map.id.push_back(row.id);
  map.text.push_back(row.text);
}
void append(TypeMap& map, const Row& row) {
  if (row.text != no_text && map.text.empty()) map.text.resize(map.id.size(), no_text);
  if (!map.text.empty() || row.text != no_text) map.text.push_back(row.text);
  map.id.push_back(row.id);
  map.name_sid.push_back(row.name_sid);
}
void append(NodeMap& map, const Row& row) {
  append(static_cast<TypeMap&>(map), row);
  map.parent.push_back(row.parent);
}

// Leaf parsers for rows in the form that Chrome writes: members in the order below, no white space, no
// escapes, ids of up to seven digits. They work on borrowed bytes and do not allocate memory. Rows that they
// do not recognise are read by JsonReader.

/// `{"id":6,"name_sid":5,"parent":4}`. If the parent is missing, `parent` is no_id.
struct NamedRow {
  std::uint64_t id = 0;
  std::uint64_t name_sid = 0;
  std::uint64_t parent = 0;
};
/// `{"id":6,"string":"main"}`; the text is borrowed.
struct StringRow {
  std::uint64_t id = 0;
  std::string_view text;
};

/// Greater than the length of any row without its string, so that no bounds checks are needed while decoding
/// a row.
constexpr std::size_t longest_row = 96;

/// If a string is longer than this, it and the bytes after it may not be visible (see
/// JsonReader::peek_elements()), so the result would depend on the number of visible bytes.
constexpr std::size_t longest_string = 768;

/// Reads bytes without bounds checks; the caller ensures that there are enough of them.
class Cursor {
 public:
  explicit Cursor(core::ByteSpan bytes) : bytes_(bytes) {}

  template <std::size_t size>
  bool take(const char (&text)[size]) {
    if (std::memcmp(bytes_.data() + here_, text, size - 1) != 0) return false;
    here_ += size - 1;
    return true;
  }
  bool take_id(std::uint64_t& id) {
    const auto word = core::decode_le<std::uint64_t>(bytes_.data() + here_);
    const unsigned count = core::json::count_word_digits(word);
    if (count - 1 >= 7 || (count > 1 && bytes_[here_] == '0')) return false;
    id = core::decode_eight_digits(word << (64 - 8 * count));
    here_ += count;
    return true;
  }
  void skip(std::size_t byte_count) { here_ += byte_count; }
  /// Skips the line feed that Chrome 62 to 75 wrote after a row.
  void skip_line_feed() { here_ += bytes_[here_] == '\n' ? 1U : 0U; }
  [[nodiscard]] std::size_t here() const { return here_; }
  [[nodiscard]] core::ByteSpan rest() const { return bytes_.subspan(here_); }

 private:
  core::ByteSpan bytes_;
  std::size_t here_ = 0;
};

/// Decodes the row at the front of `bytes`. Returns the length of the row in bytes, including the comma after
/// it, or 0 if the row has a different form or may continue beyond `bytes`.
std::size_t decode_named_row(core::ByteSpan bytes, NamedRow& row) {
  if (bytes.size() < longest_row) return 0;
  Cursor cursor(bytes);
  cursor.skip_line_feed();
  row.parent = no_id;
  if (!cursor.take("{\"id\":") || !cursor.take_id(row.id)) return 0;
  if (!cursor.take(",\"name_sid\":") || !cursor.take_id(row.name_sid)) return 0;
  if (cursor.take(",\"parent\":") && !cursor.take_id(row.parent)) return 0;
  return cursor.take("},") ? cursor.here() : 0;
}

/// Does the same for a row of the string map.
std::size_t decode_string_row(core::ByteSpan bytes, StringRow& row) {
  if (bytes.size() < longest_row) return 0;
  Cursor cursor(bytes);
  cursor.skip_line_feed();
  if (!cursor.take("{\"id\":") || !cursor.take_id(row.id) || !cursor.take(",\"string\":\"")) return 0;
  const core::ByteSpan rest = cursor.rest().first(std::min(cursor.rest().size(), longest_string));
  const core::json::StringRun run = core::json::scan_string_run(rest);
  constexpr std::size_t end_bytes = 3;  // quote, brace, comma
  if (!run.ascii || rest.size() - run.byte_count < end_bytes) return 0;
  row.text = core::as_text(rest.first(run.byte_count));
  cursor.skip(run.byte_count);
  return cursor.take("\"},") ? cursor.here() : 0;
}

/// Appends the rows that the leaf parser recognises at the front of `bytes`, up to `max_count` of them.
/// Returns the number of bytes that they take up.
std::size_t take_named_rows(core::ByteSpan bytes, std::size_t max_count, TypeMap& map,
                            std::vector<std::uint64_t>* parents) {
  std::size_t taken = 0;
  if (!map.text.empty()) return 0;
  for (std::size_t i = 0; i < max_count; ++i) {
    NamedRow row;
    const std::size_t byte_count = decode_named_row(bytes.subspan(taken), row);
    if (byte_count == 0 || (parents == nullptr && row.parent != no_id)) break;
    map.id.push_back(row.id);
    map.name_sid.push_back(row.name_sid);
    if (parents != nullptr) parents->push_back(row.parent);
    taken += byte_count;
  }
  return taken;
}
std::size_t take_rows(core::ByteSpan bytes, std::size_t max_count, TypeMap& map, const Context&) {
  return take_named_rows(bytes, max_count, map, nullptr);
}
std::size_t take_rows(core::ByteSpan bytes, std::size_t max_count, NodeMap& map, const Context&) {
  return take_named_rows(bytes, max_count, map, &map.parent);
}
std::size_t take_rows(core::ByteSpan bytes, std::size_t max_count, StringMap& map, const Context& context) {
  std::array<core::StringPool::Prepared, Runs::run_rows> texts;
  std::size_t count = 0;
  std::size_t taken = 0;
  for (; count < max_count; ++count) {
    StringRow row;
    const std::size_t byte_count = decode_string_row(bytes.subspan(taken), row);
    if (byte_count == 0) break;
    map.id.push_back(row.id);
    texts[count] = context.strings.prepare(row.text);
    taken += byte_count;
  }
  for (std::size_t i = 0; i < count; ++i) map.text.push_back(context.strings.intern_prepared(texts[i]));
  return taken;
}

/// Returns the index of the current string. If the token is not a string, reports that and returns no_text.
core::PoolIndex take_text(const Context& context, const JsonPath& path) {
  if (context.json.token() != JsonToken::string) {
    if (context.json.token() != JsonToken::error) context.refuse_type(JsonToken::string, path);
    return no_text;
  }
  if (context.json.truncated_text()) {
    context.report(
        core::rules::limit_json_text, context.json.span(), path,
        fmt::format("the string takes up {} bytes, more than can be kept", context.json.span().length));
  }
  if (!context.take_memory(context.json.text().size(), path)) return no_text;
  return context.strings.intern(context.json.text());
}

/// Reads the value of a member. Returns false if it is unusable.
bool read_member(const Context& context, unsigned member, const JsonPath& path, Row& row) {
  context.json.next();
  if (member == Member::string || member == Member::name) {
    row.text = take_text(context, path);
    return row.text != no_text;
  }
  const auto value = context.take_integer(path);
  if (!value) return false;
  if (*value == no_id) {
    context.report(rules::value_integer, context.json.span(), path,
                   "found the id 2^64 - 1, expected a smaller id");
    return false;
  }
  (member == Member::id ? row.id : member == Member::parent ? row.parent : row.name_sid) = *value;
  return true;
}

bool has_all(const Kind& kind, const Row& row) {
  const unsigned names = kind.is_names ? Member::name_sid | Member::name : Member::string;
  return (row.has & Member::id) != 0 && (row.has & names) != 0;
}

/// Reads a row after its opening brace and reports its faults. Missing members are added to `incomplete`.
/// Returns false if the row is unusable.
bool read_row(const Context& context, const Kind& kind, JsonPath path, Row& row,
              core::FindingGroups& incomplete) {
  core::JsonReader& json = context.json;
  const std::uint64_t offset = json.span().offset;
  bool is_good = true;
  while (json.next() == JsonToken::key) {
    const unsigned member = find_member(json.text()) & kind.members;
    if (member == 0) {
      json.skip_value();
      continue;
    }
    const bool is_parent_id = json.text() == "parent_id";
    path.member = member == Member::parent   ? (is_parent_id ? "parent_id" : "parent")
                  : member == Member::name   ? "name"
                  : member == Member::string ? "string"
                  : member == Member::id     ? "id"
                                             : "name_sid";
    if ((row.has & member) != 0) {
      context.refuse_repeated(path);
      continue;
    }
    row.has |= member;
    if (is_parent_id) {
      context.report(rules::maps_parent_id, json.span(), path, "found `parent_id`, expected `parent`");
    }
    is_good = read_member(context, member, path, row) && is_good;
  }
  if (json.token() == JsonToken::error) return false;
  // A row with a wrong value is not also reported as incomplete, because one cause must produce one finding.
  if (!is_good || has_all(kind, row)) return is_good;
  path.member = {};
  const bool has_id = (row.has & Member::id) != 0;
  incomplete.add([&] {
    return Finding{&rules::maps_member,
                   context.place.locate({offset, json.span().end() - offset}, path.text()),
                   !has_id         ? "the row has no `id`, expected an integer"
                   : kind.is_names ? "the row has no `name_sid`, expected an integer"
                                   : "the row has no `string`, expected a string"};
  });
  return false;
}

/// Reads the next element. Returns false at the end of the array.
template <class RowMap>
bool read_element(const Context& context, const Kind& kind, RowMap& map, core::FindingGroups& incomplete) {
  const JsonPath path{kind.prefix, map.id.size()};
  const JsonToken token = context.json.next();
  if (token == JsonToken::array_end || token == JsonToken::error) return false;
  const std::uint64_t offset = context.json.span().offset;
  Row row;
  if (token != JsonToken::object_begin) {
    context.refuse_type(JsonToken::object_begin, path);
    map.is_whole = false;
  } else {
    map.is_whole = read_row(context, kind, path, row, incomplete) && map.is_whole;
  }
  if (!kind.is_names && row.text == no_text) row.text = context.strings.intern({});
  map.runs.add(map.id.size(), {offset, context.json.span().end() - offset});
  if (context.take_memory(row_bytes, path)) append(map, row);
  return true;
}

template <class RowMap>
void read_map(const Context& context, const Kind& kind, RowMap& map) {
  core::JsonReader& json = context.json;
  if (!context.enter(JsonToken::array_begin, {kind.prefix})) {
    map.is_whole = false;
    return;
  }
  core::FindingGroups incomplete(context.sink, rules::maps_member);
  map.is_present = true;
  map.span.offset = json.span().offset;
  for (;;) {
    const std::size_t first = map.id.size();
    const core::ByteSpan bytes = json.peek_elements();
    // Runs of rows and the spans of findings must not depend on how many bytes the window shows.
    const std::size_t taken =
        bytes.empty() ? 0 : take_rows(bytes, map.runs.room(json.span().offset), map, context);
    if (taken != 0) {
      json.take_elements(taken);
      const std::size_t count = map.id.size() - first;
      map.runs.extend(first, count, json.span());
      if (!context.take_memory(row_bytes * count + taken, {kind.prefix, first})) break;
    } else if (!read_element(context, kind, map, incomplete)) {
      break;
    }
  }
  if (json.token() != JsonToken::array_end && json.token() != JsonToken::error) json.skip_rest();
  map.span.length = json.span().end() - map.span.offset;
  incomplete.report();
}

/// Releases the memory that the columns have reserved for growth, so that it can be used for the columns of
/// the next dump.
void shrink(Dump& dump) {
  for (Map* const map :
       {static_cast<Map*>(&dump.strings), static_cast<Map*>(&dump.types), static_cast<Map*>(&dump.nodes)}) {
    map->id.shrink_to_fit();
  }
  for (TypeMap* const map : {&dump.types, static_cast<TypeMap*>(&dump.nodes)}) {
    map->name_sid.shrink_to_fit();
    map->text.shrink_to_fit();
  }
  dump.strings.text.shrink_to_fit();
  dump.nodes.parent.shrink_to_fit();
}

}  // namespace

void read_maps(const Context& context, Dump& dump) {
  if (!context.enter(JsonToken::object_begin, {"/maps"})) {
    dump.is_whole = false;
    return;
  }
  core::JsonReader& json = context.json;
  constexpr std::array<std::string_view, 3> names{"nodes", "types", "strings"};
  unsigned seen = 0;
  while (json.next() == JsonToken::key) {
    const auto name = std::ranges::find(names, json.text());
    const auto which = name - names.begin();
    if (name == names.end()) {
      json.skip_value();
    } else if ((seen & 1U << which) != 0) {
      context.refuse_repeated({"/maps", JsonPath::no_row, *name});
    } else if (which == 0) {
      read_map(context, nodes_kind, dump.nodes);
    } else if (which == 1) {
      read_map(context, types_kind, dump.types);
    } else {
      read_map(context, strings_kind, dump.strings);
    }
    if (name != names.end()) seen |= 1U << which;
  }
  shrink(dump);
}

}  // namespace heapcheck::chrome::heaps_v2
