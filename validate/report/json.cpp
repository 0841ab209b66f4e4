// Writes the reports for programs: either one JSON document, as described by spec/report.schema.json, or one
// line for each file.
#include <string>
#include <utility>

#include "formats/core/output/json_writer.hpp"
#include "formats/core/text/excerpt.hpp"
#include "validate/catalog.hpp"
#include "validate/report/reporters.hpp"
#include "validate/report/statistics.hpp"

namespace heapcheck::validation::report {
namespace {

using core::JsonWriter;

void write_location(JsonWriter& json, const Location& location) {
  json.begin_object("location");
  json.member("offset", location.file.offset);
  json.member("length", location.file.length);
  if (location.content) {
    json.member("content_offset", location.content->offset);
    json.member("content_length", location.content->length);
  }
  json.member("path", location.path);
  json.end_object();
}

void write_finding(JsonWriter& json, const Finding& finding) {
  json.begin_object();
  json.member("id", finding.rule->id);
  json.member("severity", name_of(finding.severity));
  json.member("stage", name_of(finding.rule->stage));
  json.member("message", finding.message);
  write_location(json, finding.location);
  json.begin_array("related");
  for (const Related& related : finding.related) {
    json.begin_object();
    write_location(json, related.location);
    json.member("message", related.message);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_counts(JsonWriter& json, const Report& report) {
  json.begin_object("counts");
  json.member("error", report.count(Severity::error));
  json.member("warning", report.count(Severity::warning));
  json.member("note", report.count(Severity::note));
  json.member("limit", report.count_limits());
  if (report.ignored != 0) json.member("ignored", report.ignored);
  json.end_object();
}

void write_findings(JsonWriter& json, const Report& report) {
  json.begin_array("findings");
  for (const Finding& finding : report.findings) write_finding(json, finding);
  json.end_array();
  json.begin_array("more");
  for (const More& more : report.more) {
    json.begin_object();
    json.member("id", more.rule->id);
    json.member("count", more.count);
    json.end_object();
  }
  json.end_array();
  json.begin_array("skipped");
  for (const Skip& skip : report.skipped) {
    json.begin_object();
    json.member("path", skip.path);
    json.member("reason", skip.reason);
    json.end_object();
  }
  json.end_array();
}

/// `reader` is the reader that the document names for all files, or empty.
void write_file(JsonWriter& json, const NamedReport& file, std::string_view reader = {}) {
  const Report& report = *file.report;
  json.begin_object();
  json.member("path", core::make_safe_path(file.name));
  if (file.reader != reader) json.member("for", file.reader);
  json.key("format");
  if (report.format) {
    json.string(slug_of(*report.format));
    json.member("verdict", name_of(report.verdict));
    json.member("well_formed", report.well_formed);
    write_counts(json, report);
    write_findings(json, report);
  } else {
    json.null();
    json.member("verdict", name_of(report.verdict));
    json.member("id", rule_of_unread(report).id);
    json.member("error", report.error);
  }
  json.end_object();
}

/// Writes one document for all files.
class JsonReporter final : public Reporter {
 public:
  JsonReporter(std::string_view version, ReportOptions options)
      : version_(version), options_(std::move(options)), json_(out_, core::JsonLayout::pretty) {}

  std::string begin() override {
    json_.begin_object();
    json_.member("heapcheck", version_);
    if (!options_.reader.empty()) json_.member("for", options_.reader);
    json_.begin_array("files");
    return std::exchange(out_, {});
  }
  std::string add(const NamedReport& file) override {
    write_file(json_, file, options_.reader);
    if (options_.has_statistics) statistics_.add(file);
    return std::exchange(out_, {});
  }
  std::string end() override {
    json_.end_array();
    if (options_.has_statistics) statistics_.write(json_);
    json_.end_object();
    return std::exchange(out_, {}) + '\n';
  }

 private:
  std::string version_;
  ReportOptions options_;
  Statistics statistics_;
  std::string out_;
  JsonWriter json_;
};

/// Writes one line for each file.
class NdjsonReporter final : public Reporter {
 public:
  std::string begin() override { return {}; }
  std::string add(const NamedReport& file) override {
    std::string out;
    JsonWriter json(out, core::JsonLayout::line);
    write_file(json, file);
    return out + '\n';
  }
  std::string end() override { return {}; }
};

}  // namespace

std::unique_ptr<Reporter> make_json_reporter(std::string_view version, const ReportOptions& options) {
  return std::make_unique<JsonReporter>(version, options);
}

std::unique_ptr<Reporter> make_ndjson_reporter() { return std::make_unique<NdjsonReporter>(); }

}  // namespace heapcheck::validation::report
