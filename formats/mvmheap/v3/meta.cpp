#include "formats/mvmheap/v3/meta.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/core/json/reader.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/mvmheap/v3/faults.hpp"
#include "formats/mvmheap/v3/layout.hpp"

namespace heapcheck::mvmheap::v3 {
namespace {

using core::JsonToken;

/// Describes a value that is invalid for its member.
struct Wrong {
  Span place;
  std::string message;
  std::string_view member = {};  ///< the faulty member inside the value, if the value is an object
};

/// Reads the members of one JSON object. Each known member has a function that reads its value, and may occur
/// only once.
class MetaReader {
 public:
  /// Reads the value after a key. Returns the fault in the value, if any.
  using ReadValue = std::function<std::optional<Wrong>(core::JsonReader&)>;
  using Members = std::map<std::string_view, ReadValue>;

  MetaReader(core::ByteView json, const Limits& limits, std::string path, core::FindingSink& sink)
      : json_(json), limits_(limits), path_(std::move(path)), sink_(&sink) {}

  /// `required` and `optional` are the known members. Returns true if there was no error.
  bool read(const Members& required, const Members& optional) {
    core::MemorySource source(json_.bytes);
    core::Window window(source, 4096, json_.offset);
    core::JsonReader reader(window, limits_);
    read_members(reader, required, optional);
    if (reader.error()) {
      report(rules::meta_json, {reader.error()->offset, 1}, path_, reader.error()->message);
    } else if (clean_ && reader.skip_whitespace()) {
      report(rules::meta_json, {window.offset(), 1}, path_,
             "found bytes after the JSON object, expected none");
    } else if (clean_) {
      report_missing(required);
    }
    return clean_;
  }

 private:
  void read_members(core::JsonReader& reader, const Members& required, const Members& optional) {
    if (reader.next() != JsonToken::object_begin) {
      if (!reader.error())
        report(rules::meta_json, reader.span(), path_,
               "found a JSON value of another type, expected an object");
      return;
    }
    for (JsonToken token = reader.next(); token == JsonToken::key; token = reader.next()) {
      read_member(reader, required, optional);
      if (reader.error()) return;
    }
    if (!reader.error()) reader.next();
  }

  void read_member(core::JsonReader& reader, const Members& required, const Members& optional) {
    const std::string key(reader.text());
    const Span key_place = reader.span();
    const ReadValue* read_value = find(required, key);
    if (read_value == nullptr) read_value = find(optional, key);
    if (read_value == nullptr) {
      reader.skip_value();
      return;
    }
    if (++seen_[key] == 2) {
      report(rules::meta_field, key_place, path_ + "/" + key, "member occurs again, expected only once");
    }
    if (auto wrong = (*read_value)(reader); wrong && !reader.error()) {
      const std::string inside = wrong->member.empty() ? "" : "/" + std::string(wrong->member);
      report(rules::meta_field, wrong->place, path_ + "/" + key + inside, std::move(wrong->message));
    }
  }

  static const ReadValue* find(const Members& members, std::string_view key) {
    const auto found = members.find(key);
    return found == members.end() ? nullptr : &found->second;
  }

  void report_missing(const Members& required) {
    std::vector<std::string_view> missing;
    for (const auto& [name, unused] : required) {
      if (!seen_.contains(name)) missing.push_back(name);
    }
    if (missing.empty()) return;
    report(rules::meta_field, json_.span(), path_ + "/" + std::string(missing[0]),
           missing.size() == 1
               ? fmt::format("no member \"{}\", expected one", missing[0])
               : fmt::format("no members \"{}\", expected one of each", fmt::join(missing, "\", \"")));
  }

  void report(const Rule& rule, Span place, std::string path, std::string message) {
    clean_ = false;
    sink_->report({&rule, {place, std::nullopt, std::move(path)}, std::move(message)});
  }

  core::ByteView json_;
  const Limits& limits_;
  std::string path_;
  core::FindingSink* sink_;
  std::map<std::string, std::uint64_t, std::less<>> seen_;  // the number of occurrences of each known member
  bool clean_ = true;
};

Wrong wrong_value(core::JsonReader& reader, JsonToken token, std::string_view expected) {
  const bool has_text = token == JsonToken::number || token == JsonToken::string;
  Wrong wrong{
      reader.span(),
      fmt::format("found {}, expected {}",
                  has_text ? core::make_excerpt(reader.text()) : "a JSON value of another type", expected)};
  if (token == JsonToken::object_begin || token == JsonToken::array_begin) reader.skip_rest();
  return wrong;
}

/// Returns a function that reads a 64-bit integer.
MetaReader::ReadValue into(std::uint64_t& value, Span* place) {
  return [&value, place](core::JsonReader& reader) -> std::optional<Wrong> {
    const JsonToken token = reader.next();
    const auto number = token == JsonToken::number ? reader.as_unsigned() : std::nullopt;
    if (!number) return wrong_value(reader, token, "an integer from 0 to 2^64 - 1");
    value = *number;
    if (place != nullptr) *place = reader.span();
    return std::nullopt;
  };
}

std::optional<HighscoreList> find_list(std::string_view name) {
  auto found = std::ranges::find(highscore_names, name);
  if (found == highscore_names.end()) return std::nullopt;
  return static_cast<HighscoreList>(found - highscore_names.begin());
}

/// Reads `data_order`, an array that contains each of the four names once.
std::optional<Wrong> read_data_order(core::JsonReader& reader, std::vector<HighscoreList>& order,
                                     Span& place) {
  JsonToken token = reader.next();
  if (token != JsonToken::array_begin) return wrong_value(reader, token, "an array of list names");
  const std::uint64_t start = reader.span().offset;
  std::optional<Wrong> wrong;
  order.clear();
  for (token = reader.next(); token != JsonToken::array_end && token != JsonToken::error;
       token = reader.next()) {
    const auto list = token == JsonToken::string ? find_list(reader.text()) : std::nullopt;
    if (!list) {
      Wrong here =
          wrong_value(reader, token, "types_by_count, frames_by_count, types_by_size or frames_by_size");
      // The array is still read to its end, because the members after it have to be read next.
      if (!wrong) wrong = std::move(here);
    }
    if (list && std::ranges::count(order, *list) != 0 && !wrong) {
      wrong = Wrong{reader.span(), fmt::format("found {} twice, expected each list once", reader.text())};
    }
    if (list) order.push_back(*list);
  }
  place = {start, reader.span().end() - start};
  if (!wrong && order.size() != highscore_names.size()) {
    wrong = Wrong{place, fmt::format("found {}, expected {}", core::counted(order.size(), "list"),
                                     highscore_names.size())};
  }
  return wrong;
}

/// Reads the `highscore_structure` object into `meta`.
std::optional<Wrong> read_highscore_structure(core::JsonReader& reader, FileMeta& meta,
                                              FileMetaPlaces& places) {
  if (const JsonToken token = reader.next(); token != JsonToken::object_begin)
    return wrong_value(reader, token, "an object");
  const std::uint64_t start = reader.span().offset;
  bool has_count = false;
  bool has_order = false;
  std::optional<Wrong> wrong;
  for (JsonToken token = reader.next(); token == JsonToken::key; token = reader.next()) {
    std::optional<Wrong> here;
    const Span key = reader.span();
    if (reader.text() == "entry_count") {
      if (std::exchange(has_count, true))
        wrong = Wrong{key, "member occurs again, expected only once", "entry_count"};
      here = into(meta.entry_count, &places.entry_count)(reader);
      if (here) here->member = "entry_count";
    } else if (reader.text() == "data_order") {
      if (std::exchange(has_order, true))
        wrong = Wrong{key, "member occurs again, expected only once", "data_order"};
      here = read_data_order(reader, meta.data_order, places.data_order);
      if (here) here->member = "data_order";
    } else {
      reader.skip_value();
    }
    if (reader.error()) return std::nullopt;
    // Only one finding is reported for the object, so only its first wrong value is kept.
    if (!wrong) wrong = std::move(here);
  }
  if (!wrong && !(has_count && has_order)) {
    wrong =
        Wrong{{start, reader.span().end() - start}, "entry_count or data_order is missing, expected both"};
  }
  return wrong;
}

}  // namespace

std::optional<FileMeta> read_file_meta(core::ByteView json, const Limits& limits, FileMetaPlaces& places,
                                       core::FindingSink& sink) {
  FileMeta meta;
  std::uint64_t pid = 0;
  Span pid_place;
  MetaReader reader(json, limits, "/filemeta", sink);
  const bool clean =
      reader.read({{"subversion", into(meta.subversion, &places.subversion)},
                   {"start_time", into(meta.start_time, &places.start_time)},
                   {"highscore_structure",
                    [&](core::JsonReader& value) { return read_highscore_structure(value, meta, places); }}},
                  {{"pid", into(pid, &pid_place)}});
  if (!clean) return std::nullopt;
  // Any number may be a process id, so it is the place that shows whether there is one.
  if (pid_place.length != 0) meta.pid = pid;
  if (meta.subversion != supported_subversion) {
    sink.report({&rules::filemeta_subversion,
                 {places.subversion, std::nullopt, "/filemeta/subversion"},
                 fmt::format("subversion is {}, expected {}", meta.subversion, supported_subversion)});
  }
  return meta;
}

std::optional<SnapshotMeta> read_snapshot_meta(core::ByteView json, const Limits& limits,
                                               const std::string& path, SnapshotMetaPlaces& places,
                                               core::FindingSink& sink) {
  SnapshotMeta meta;
  MetaReader::Members members;
  for (std::size_t i = 0; i < snapshot_meta_fields.size(); ++i) {
    const SnapshotMetaField& field = snapshot_meta_fields[i];
    members.emplace(field.name, into(meta.*field.member, &places[i]));
  }
  MetaReader reader(json, limits, path, sink);
  if (!reader.read(members, {})) return std::nullopt;
  return meta;
}

std::string encode_file_meta(const FileMeta& meta) {
  std::string order;
  for (const HighscoreList list : meta.data_order) {
    if (!order.empty()) order += ", ";
    order += fmt::format("\"{}\"", highscore_names[static_cast<std::size_t>(list)]);
  }
  const std::string pid = meta.pid ? fmt::format("\"pid\": {}, ", *meta.pid) : "";
  return fmt::format(
      "{{ \"subversion\": {}, \"start_time\": {}, {}\"highscore_structure\": {{ \"entry_count\": {}, "
      "\"data_order\": [{}]}}}}",
      meta.subversion, meta.start_time, pid, meta.entry_count, order);
}

std::string encode_snapshot_meta(const SnapshotMeta& meta) {
  std::string members;
  for (const SnapshotMetaField& field : snapshot_meta_fields) {
    if (!members.empty()) members += ", ";
    members += fmt::format("\"{}\": {}", field.name, meta.*field.member);
  }
  return fmt::format("{{ {} }}", members);
}

}  // namespace heapcheck::mvmheap::v3
