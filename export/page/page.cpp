#include "export/page/page.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "formats/core/text/source_path.hpp"
#include "formats/core/text/utf8.hpp"

namespace heapcheck::exports::page {
namespace {

using core::JsonWriter;

void write_file(JsonWriter& json, const FileRow& file) {
  json.begin_object();
  json.member("name", file.name);
  json.member("format", slug_of(file.format));
  json.member("title", title_of(file.format));
  json.member("byte_count", file.byte_count);
  json.member("verdict", name_of(file.verdict));
  json.member("errors", file.errors);
  json.member("warnings", file.warnings);
  json.member("notes", file.notes);
  json.begin_array("findings");
  for (const FileRow::Line& line : file.findings) {
    json.begin_object();
    json.member("severity", line.severity);
    json.member("id", line.id);
    json.member("message", line.message);
    json.member("offset", line.offset);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

/// A number of nodes or objects; null if it is unknown.
void write_count(JsonWriter& json, std::uint64_t count, bool is_known) {
  if (is_known) return json.number(count);
  json.null();
}

void write_numbers(JsonWriter& json, const Totals& totals, bool has_counts) {
  json.key("count");
  write_count(json, totals.count, has_counts);
  json.member("size", totals.size);
  json.member("retained", totals.retained);
}

void write_position(JsonWriter& json, const Position& position, bool has_counts) {
  json.member("file", position.file);
  json.member("snapshot", position.snapshot);
  write_numbers(json, position.total, has_counts);
}

void write_totals(JsonWriter& json, const NodeTotals& totals, bool has_counts) {
  json.member("name", totals.name);
  write_numbers(json, {.count = totals.count, .size = totals.size, .retained = totals.retained}, has_counts);
}

void write_tree(JsonWriter& json, const Tree& tree, bool has_counts) {
  json.begin_object();
  json.member("of", tree.key);
  json.member("is_cut", tree.is_cut);
  json.begin_array("places");
  for (const Place& place : tree.places) {
    json.begin_object();
    json.member("depth", std::uint64_t{place.depth});
    json.member("name", place.name);
    write_numbers(json, {.count = place.count, .size = place.size, .retained = place.held}, has_counts);
    if (tree.has_allocated) {
      json.member("allocated_count", place.allocated_count);
      json.member("allocated_size", place.allocated_size);
    }
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_step(JsonWriter& json, const Step& step) {
  json.begin_object();
  json.member("edge", step.edge);
  json.member("name", step.name);
  json.member("id", step.id);
  json.end_object();
}

void write_suspect(JsonWriter& json, const SuspectRow& suspect) {
  json.begin_object();
  json.member("name", suspect.type);
  json.member("count", suspect.count);
  json.member("chain", suspect.chain);
  json.member("id", suspect.id);
  if (suspect.holder) {
    json.key("holder");
    write_step(json, *suspect.holder);
  }
  json.member("retained", suspect.retained);
  json.member("share", suspect.share);
  json.member("way", suspect.way);
  json.member("owner", analyze::name_of(suspect.owner));
  json.member("fingerprint", suspect.fingerprint);
  json.begin_array("contents");
  for (const std::string& type : suspect.contents) json.string(type);
  json.end_array();
  json.begin_array("path");
  for (const Step& step : suspect.path) write_step(json, step);
  json.end_array();
  json.member("left_out", suspect.left_out);
  json.begin_array("places");
  for (const std::uint64_t place : suspect.places) json.number(place);
  json.end_array();
  json.end_object();
}

void write_growth(JsonWriter& json, const GrowthRow& growth) {
  json.begin_object("growth");
  json.member("by", growth.by == GrowthBy::id ? "id" : "type");
  json.member("size", growth.size);
  json.member("doubt", analyze::name_of(growth.doubt));
  json.begin_array("suspects");
  for (const SuspectRow& suspect : growth.suspects) write_suspect(json, suspect);
  json.end_array();
  json.end_object();
}

void write_series(JsonWriter& json, std::string_view key, const std::vector<Series>& rows, bool has_counts) {
  json.begin_array(key);
  for (const Series& row : rows) {
    json.begin_object();
    json.member("name", row.name);
    json.begin_array("totals");
    for (const Totals& totals : row.totals) {
      json.begin_array();
      write_count(json, totals.count, has_counts);
      json.number(totals.size);
      json.number(totals.retained);
      json.end_array();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

template <class Rows, class Write>
void write_items(JsonWriter& json, std::string_view key, const Rows& rows, Write write) {
  json.begin_array(key);
  for (const auto& row : rows) write(json, row);
  json.end_array();
}

void write_snapshot(JsonWriter& json, const PageData& data) {
  json.begin_object("snapshot");
  write_position(json, data.main, data.has_counts);
  json.member("edges", data.edge_count);
  json.member("process", data.process);
  json.member("dump", data.dump);
  json.member("content", data.is_stacks ? "stacks" : "graph");
  json.end_object();
  write_items(json, "kinds", data.kinds, [&data](JsonWriter& out, const NodeTotals& row) {
    out.begin_object();
    write_totals(out, row, data.has_counts);
    out.end_object();
  });
  write_items(json, "types", data.types, [&data](JsonWriter& out, const TypeRow& row) {
    out.begin_object();
    out.member("of", row.kind);
    write_totals(out, row.totals, data.has_counts);
    out.end_object();
  });
  json.begin_object("types_left_out");
  json.member("count", data.types_left_out.count);
  json.member("size", data.types_left_out.size);
  json.end_object();
  write_items(json, "trees", data.trees,
              [&data](JsonWriter& out, const Tree& tree) { write_tree(out, tree, data.has_counts); });
  json.member("least_share", data.least_share);
  write_items(json, "suspects", data.suspects, write_suspect);
  write_items(json, "histogram", data.histogram, [](JsonWriter& out, const Bucket& bucket) {
    out.begin_object();
    out.member("least", bucket.least);
    out.member("count", bucket.count);
    out.member("size", bucket.size);
    out.end_object();
  });
}

}  // namespace

std::string cut_name(std::string_view name, std::size_t most_bytes) {
  if (name.size() <= most_bytes) return std::string(name);
  constexpr std::string_view ellipsis = "\xe2\x80\xa6";
  std::string_view start = name.substr(0, most_bytes - ellipsis.size());
  start.remove_suffix(core::find_cut_utf8(core::as_bytes(start)));
  return std::string(start).append(ellipsis);
}

std::string name_with_place(std::string_view name, const heapcheck::Place& place) {
  if (!place.is_known()) return cut_name(name);
  constexpr std::size_t most_file_bytes = 40;
  const std::string_view file = core::last_parts(place.file, 1);
  const std::string shown = fmt::format(" ({}{})", file.empty() ? "?" : cut_name(file, most_file_bytes),
                                        place.line == 0 ? "" : fmt::format(":{}", place.line));
  return cut_name(name.empty() ? "<anon>" : name, most_name_bytes - shown.size()) + shown;
}

std::string make_page(const PageData& data) {
  std::string page(page_start());
  // For a browser, the data ends at the first `</script`, wherever that is.
  for (const char letter : make_json(data, core::JsonLayout::line)) {
    if (letter == '<')
      page += "\\u003c";
    else
      page += letter;
  }
  return page.append(page_end());
}

std::string make_json(const PageData& data, core::JsonLayout layout) {
  std::string text;
  JsonWriter json(text, layout);
  json.begin_object();
  json.member("schema_version", std::uint64_t{1});
  write_items(json, "files", data.files, write_file);
  json.member("files_left_out", data.files_left_out);
  write_snapshot(json, data);
  if (data.growth) write_growth(json, *data.growth);
  write_items(json, "positions", data.positions, [&data](JsonWriter& out, const Position& position) {
    out.begin_object();
    write_position(out, position, data.has_counts);
    out.end_object();
  });
  json.member("positions_left_out", data.positions_left_out);
  write_series(json, "kind_series", data.kind_series, data.has_counts);
  write_series(json, "type_series", data.type_series, data.has_counts);
  json.member("series_left_out", data.series_left_out);
  json.end_object();
  return text;
}

}  // namespace heapcheck::exports::page
