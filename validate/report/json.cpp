#include "validate/report/json.hpp"

#include "formats/core/json/writer.hpp"

namespace heapcheck::validation::report {
namespace {

using core::JsonWriter;

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "";
}

std::string_view name_of(Stage stage) {
  switch (stage) {
    case Stage::read:
      return "read";
    case Stage::check:
      return "check";
    case Stage::limit:
      return "limit";
  }
  return "";
}

void write_member(JsonWriter& json, std::string_view key, std::string_view value) {
  json.key(key);
  json.string(value);
}

void write_member(JsonWriter& json, std::string_view key, std::uint64_t value) {
  json.key(key);
  json.number(value);
}

void write_location(JsonWriter& json, const Location& location) {
  json.key("location");
  json.begin_object();
  write_member(json, "offset", location.file.offset);
  write_member(json, "length", location.file.length);
  if (location.content) {
    write_member(json, "content_offset", location.content->offset);
    write_member(json, "content_length", location.content->length);
  }
  write_member(json, "path", location.path);
  json.end_object();
}

void write_finding(JsonWriter& json, const Finding& finding) {
  json.begin_object();
  write_member(json, "id", finding.rule->id);
  write_member(json, "severity", name_of(finding.rule->severity));
  write_member(json, "stage", name_of(finding.rule->stage));
  write_member(json, "message", finding.message);
  write_location(json, finding.location);
  json.key("related");
  json.begin_array();
  for (const Related& related : finding.related) {
    json.begin_object();
    write_location(json, related.location);
    write_member(json, "message", related.message);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_counts(JsonWriter& json, const Report& report) {
  json.key("counts");
  json.begin_object();
  write_member(json, "error", report.count(Severity::error));
  write_member(json, "warning", report.count(Severity::warning));
  write_member(json, "note", report.count(Severity::note));
  write_member(json, "limit", report.count_limits());
  json.end_object();
}

void write_findings(JsonWriter& json, const Report& report) {
  json.key("findings");
  json.begin_array();
  for (const Finding& finding : report.findings) write_finding(json, finding);
  json.end_array();
  json.key("more");
  json.begin_array();
  for (const More& more : report.more) {
    json.begin_object();
    write_member(json, "id", more.rule->id);
    write_member(json, "count", more.count);
    json.end_object();
  }
  json.end_array();
  json.key("skipped");
  json.begin_array();
  for (const Skip& skip : report.skipped) {
    json.begin_object();
    write_member(json, "path", skip.path);
    write_member(json, "reason", skip.reason);
    json.end_object();
  }
  json.end_array();
}

void write_file(JsonWriter& json, const NamedReport& file) {
  const Report& report = *file.report;
  json.begin_object();
  write_member(json, "path", file.name);
  json.key("format");
  if (report.format) {
    json.string(slug_of(*report.format));
    write_member(json, "verdict", name_of(report.verdict));
    json.key("well_formed");
    json.boolean(report.well_formed);
    write_counts(json, report);
    write_findings(json, report);
  } else {
    json.null();
    write_member(json, "verdict", name_of(report.verdict));
    write_member(json, "error", report.error);
  }
  json.end_object();
}

}  // namespace

std::string make_json(std::string_view version, std::span<const NamedReport> files,
                      v8::heapsnapshot::consumers::Consumer consumer) {
  std::string out;
  JsonWriter json(out, core::JsonLayout::pretty);
  json.begin_object();
  write_member(json, "heapcheck", version);
  if (consumer != v8::heapsnapshot::consumers::Consumer::none) write_member(json, "for", name_of(consumer));
  json.key("files");
  json.begin_array();
  for (const NamedReport& file : files) write_file(json, file);
  json.end_array();
  json.end_object();
  out += '\n';
  return out;
}

}  // namespace heapcheck::validation::report
