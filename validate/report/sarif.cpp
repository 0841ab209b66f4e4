// Writes a report as a SARIF 2.1.0 (OASIS) log, with one run for all files. spec: diagnostics.md#sarif
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/core/output/escapes.hpp"
#include "formats/core/output/json_writer.hpp"
#include "validate/catalog.hpp"
#include "validate/fingerprint.hpp"
#include "validate/report/reporters.hpp"

namespace heapcheck::validation::report {
namespace {

using core::JsonWriter;

/// Programs that read SARIF store numbers as doubles.
constexpr std::uint64_t most_exact = std::uint64_t{1} << 53;

void write_text(JsonWriter& json, std::string_view key, std::string_view text) {
  json.begin_object(key);
  json.member("text", text);
  json.end_object();
}

void write_rule(JsonWriter& json, const Rule& rule) {
  json.begin_object();
  json.member("id", rule.id);
  write_text(json, "shortDescription", rule.title);
  write_text(json, "fullDescription", rule.reason);
  write_text(json, "help",
             fmt::format("Example: {}\n\n{}\n\nSpecification: spec/{}\n`heapcheck explain {}` shows it.",
                         rule.example, rule.advice, rule.anchor, rule.id));
  json.begin_object("defaultConfiguration");
  json.member("level", name_of(rule.severity));
  json.end_object();
  json.begin_object("properties");
  json.member("stage", name_of(rule.stage));
  json.member("since", rule.since);
  json.end_object();
  json.end_object();
}

void write_region(JsonWriter& json, const Location& location, std::uint64_t line) {
  if (location.file.end() >= most_exact) return;
  json.begin_object("region");
  if (line != 0) json.member("startLine", line);
  json.member("byteOffset", location.file.offset);
  json.member("byteLength", location.file.length);
  if (location.content && location.content->end() < most_exact) {
    json.begin_object("properties");
    json.member("contentOffset", location.content->offset);
    json.member("contentLength", location.content->length);
    json.end_object();
  }
  json.end_object();
}

/// A place to show; by default, the whole file.
struct Place {
  const Location* location = nullptr;
  std::uint64_t line = 0;  // 0 if it is unknown
  bool has_region = true;  // whether the location has a place in the file
};

void write_location(JsonWriter& json, std::string_view uri, const Place& place) {
  json.begin_object("physicalLocation");
  json.begin_object("artifactLocation");
  json.member("uri", uri);
  json.end_object();
  if (place.location != nullptr && place.has_region) write_region(json, *place.location, place.line);
  json.end_object();
  if (place.location == nullptr || place.location->path.empty()) return;
  json.begin_array("logicalLocations");
  json.begin_object();
  json.member("fullyQualifiedName", place.location->path);
  json.member("kind", "member");
  json.end_object();
  json.end_array();
}

void write_locations(JsonWriter& json, std::string_view uri, const Place& place) {
  json.begin_array("locations");
  json.begin_object();
  write_location(json, uri, place);
  json.end_object();
  json.end_array();
}

std::uint64_t index_of(const Rule& rule) {
  const auto rules = all_rules();
  return static_cast<std::uint64_t>(std::ranges::find(rules, rule.id, &Rule::id) - rules.begin());
}

void begin_result(JsonWriter& json, const Rule& rule, Severity severity, std::string_view message) {
  json.begin_object();
  json.member("ruleId", rule.id);
  if (find_rule(rule.id) != nullptr) json.member("ruleIndex", index_of(rule));
  json.member("level", name_of(severity));
  write_text(json, "message", message);
}

void write_related(JsonWriter& json, std::string_view uri, const std::vector<Related>& places) {
  if (places.empty()) return;
  json.begin_array("relatedLocations");
  std::uint64_t id = 0;
  for (const Related& related : places) {
    json.begin_object();
    json.member("id", ++id);
    write_location(json, uri, {&related.location});
    write_text(json, "message", related.message);
    json.end_object();
  }
  json.end_array();
}

constexpr std::string_view skip_level = "note";

/// A message in the report that does not concern a place where a rule is violated. A part that was not
/// checked has no place in the file.
struct Notification {
  std::string uri;
  std::string_view id = {};  // the id of a rule; may be empty
  std::string_view level;
  std::optional<Location> location = {};
  std::string message;
};

void write_notification(JsonWriter& json, const Notification& notification) {
  json.begin_object();
  if (!notification.id.empty()) {
    json.begin_object("descriptor");
    json.member("id", notification.id);
    json.end_object();
  }
  json.member("level", notification.level);
  write_text(json, "message", notification.message);
  write_locations(json, notification.uri,
                  {.location = notification.location ? &*notification.location : nullptr,
                   .has_region = notification.level != skip_level});
  json.end_object();
}

class SarifReporter final : public Reporter {
 public:
  explicit SarifReporter(std::string_view version)
      : version_(version), json_(out_, core::JsonLayout::pretty) {}

  std::string begin() override {
    json_.begin_object();
    json_.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_.member("version", "2.1.0");
    json_.begin_array("runs");
    json_.begin_object();
    write_driver();
    json_.begin_array("results");
    return std::exchange(out_, {});
  }

  std::string add(const NamedReport& file) override {
    const std::string uri = core::make_uri(core::without_dot(file.name));
    const Report& report = *file.report;
    if (!report.format) {
      add_notification(uri, rule_of_unread(report), std::nullopt, report.error);
      return {};
    }
    write_results(file, uri);
    for (const More& more : report.more) write_more(uri, more);
    for (const Skip& skip : report.skipped) add_skip(uri, skip);
    return std::exchange(out_, {});
  }

  std::string end() override {
    json_.end_array();
    json_.begin_array("invocations");
    json_.begin_object();
    json_.member("executionSuccessful", is_successful_);
    json_.begin_array("toolExecutionNotifications");
    for (const Notification& notification : notifications_) write_notification(json_, notification);
    json_.end_array();
    json_.end_object();
    json_.end_array();
    json_.end_object();
    json_.end_array();
    json_.end_object();
    return std::exchange(out_, {}) + '\n';
  }

 private:
  void write_driver() {
    json_.begin_object("tool");
    json_.begin_object("driver");
    json_.member("name", "heapcheck");
    json_.member("version", version_);
    json_.member("semanticVersion", version_);
    json_.begin_array("rules");
    for (const Rule* rule : all_rules()) write_rule(json_, *rule);
    json_.end_array();
    json_.end_object();
    json_.end_object();
  }

  void write_results(const NamedReport& file, const std::string& uri) {
    const std::vector<std::string> fingerprints = make_fingerprints(*file.report);
    for (std::size_t i = 0; i < fingerprints.size(); ++i) {
      const Finding& finding = file.report->findings[i];
      if (finding.rule->stage == Stage::limit) {
        add_notification(uri, *finding.rule, finding.location, finding.message);
        continue;
      }
      begin_result(json_, *finding.rule, finding.severity, finding.message);
      write_locations(json_, uri, {&finding.location, i < file.lines.size() ? file.lines[i] : 0});
      write_related(json_, uri, finding.related);
      json_.begin_object("partialFingerprints");
      json_.member("heapcheckFinding/v1", fingerprints[i]);
      json_.end_object();
      json_.end_object();
    }
  }

  /// Findings that were only counted.
  void write_more(std::string_view uri, const More& more) {
    begin_result(json_, *more.rule, more.severity, fmt::format("{} more of the same kind", more.count));
    write_locations(json_, uri, {});
    if (more.count < most_exact) json_.member("occurrenceCount", more.count);
    json_.end_object();
  }

  void add_skip(const std::string& uri, const Skip& skip) {
    notifications_.push_back({.uri = uri,
                              .level = skip_level,
                              .location = Location{.file = {}, .path = skip.path},
                              .message = "not checked: " + skip.reason});
  }

  /// A file that could not be read, or a limit that was reached.
  void add_notification(const std::string& uri, const Rule& rule, const std::optional<Location>& location,
                        std::string_view message) {
    const bool is_limit = rule.stage == Stage::limit;
    is_successful_ = is_successful_ && is_limit;
    notifications_.push_back({.uri = uri,
                              .id = rule.id,
                              .level = is_limit ? "warning" : "error",
                              .location = location,
                              .message = fmt::format("{}{}", is_limit ? "undecided: " : "", message)});
  }

  std::string version_;
  std::string out_;
  JsonWriter json_;
  std::vector<Notification> notifications_;  // written after all results
  bool is_successful_ = true;
};

}  // namespace

std::unique_ptr<Reporter> make_sarif_reporter(std::string_view version) {
  return std::make_unique<SarifReporter>(version);
}

}  // namespace heapcheck::validation::report
