#include "cli/check/cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "formats/core/text/parse_number.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

constexpr std::string_view stored_version = "heapcheck report 1";
constexpr std::string_view last_line = "end";

/// A text as one field.
std::string escape_field(std::string_view text) {
  std::string field;
  for (const char letter : text) {
    if (letter == '\\')
      field += "\\\\";
    else if (letter == '\t')
      field += "\\t";
    else if (letter == '\n')
      field += "\\n";
    else
      field += letter;
  }
  return field;
}

std::string restore_field(std::string_view field) {
  std::string text;
  for (std::size_t i = 0; i < field.size(); ++i) {
    const bool is_escaped = field[i] == '\\' && i + 1 < field.size();
    if (is_escaped) ++i;
    const char letter = field[i];
    text += is_escaped && letter == 't' ? '\t' : is_escaped && letter == 'n' ? '\n' : letter;
  }
  return text;
}

template <class... Fields>
std::string make_line(std::string_view kind, const Fields&... fields) {
  std::string line(kind);
  (fmt::format_to(std::back_inserter(line), "\t{}", fields), ...);
  return line + '\n';
}

/// Six fields.
std::string store_location(const Location& location) {
  const Span content = location.content.value_or(Span{});
  return fmt::format("{}\t{}\t{}\t{}\t{}\t{}", location.file.offset, location.file.length,
                     location.content ? 1 : 0, content.offset, content.length, escape_field(location.path));
}

/// Reads the fields of one line. After a field that is missing or wrong, is_good() is false.
class Fields {
 public:
  explicit Fields(std::string_view line) : rest_(line) {}

  std::string_view next() {
    if (is_at_end_) is_good_ = false;
    const std::size_t end = std::min(rest_.find('\t'), rest_.size());
    const std::string_view field = rest_.substr(0, end);
    is_at_end_ = end == rest_.size();
    rest_.remove_prefix(is_at_end_ ? end : end + 1);
    return field;
  }
  std::string text() { return restore_field(next()); }
  std::uint64_t number() {
    const auto value = core::parse_number(next());
    if (!value) is_good_ = false;
    return value.value_or(0);
  }
  Location location() {
    Location location{.file = {number(), number()}};
    const bool has_content = number() != 0;
    const Span content{number(), number()};
    if (has_content) location.content = content;
    location.path = text();
    return location;
  }
  [[nodiscard]] bool is_good() const { return is_good_; }

 private:
  std::string_view rest_;
  bool is_at_end_ = false;
  bool is_good_ = true;
};

/// The rule with that id as it is reported for a reader, which may have a record of its own for it; null if
/// there is none.
const Rule* restore_rule(std::string_view reader, std::string_view id) {
  const Rule* const rule = find_rule(id);
  const Rule* const own = rule == nullptr ? nullptr : find_rule_for(reader, *rule);
  return own != nullptr && own->id == id ? own : rule;
}

std::optional<Severity> restore_severity(std::string_view name) {
  for (const Severity severity : {Severity::note, Severity::warning, Severity::error}) {
    if (name_of(severity) == name) return severity;
  }
  return std::nullopt;
}

/// Adds what one line says to a report.
class Restoring {
 public:
  Restoring(const InputFile& target, std::string_view reader) : file_{target, {}, {}}, reader_(reader) {}

  /// Returns whether the line was understood.
  bool add(std::string_view line) {
    Fields fields(line);
    const std::string_view kind = fields.next();
    if (kind == "file") return add_file(fields);
    if (kind == "finding") return add_finding(fields);
    if (kind == "related") return add_related(fields);
    if (kind == "more") return add_more(fields);
    if (kind == "skip") file_.report.skipped.push_back({.path = fields.text(), .reason = fields.text()});
    if (kind == "line") file_.lines.push_back(fields.number());
    return (kind == "skip" || kind == "line") && fields.is_good();
  }
  CheckedFile take() { return std::move(file_); }

 private:
  bool add_file(Fields& fields) {
    const std::string_view slug = fields.next();
    for (const Format format : all_formats()) {
      if (slug_of(format) == slug) file_.report.format = format;
    }
    const std::uint64_t verdict = fields.number();
    if (verdict > static_cast<std::uint64_t>(Verdict::unreadable)) return false;
    file_.report.verdict = static_cast<Verdict>(verdict);
    file_.report.well_formed = fields.number() != 0;
    file_.report.byte_count = fields.number();
    file_.report.ignored = fields.number();
    file_.report.is_of_unknown_format = fields.number() != 0;
    file_.report.error = fields.text();
    return fields.is_good();
  }
  bool add_finding(Fields& fields) {
    const Rule* const rule = restore_rule(reader_, fields.next());
    const auto severity = restore_severity(fields.next());
    if (rule == nullptr || !severity) return false;
    file_.report.findings.push_back(
        {.rule = rule, .location = fields.location(), .message = fields.text(), .severity = *severity});
    return fields.is_good();
  }
  bool add_related(Fields& fields) {
    if (file_.report.findings.empty()) return false;
    file_.report.findings.back().related.push_back({.location = fields.location(), .message = fields.text()});
    return fields.is_good();
  }
  bool add_more(Fields& fields) {
    const Rule* const rule = restore_rule(reader_, fields.next());
    const auto severity = restore_severity(fields.next());
    if (rule == nullptr || !severity) return false;
    file_.report.more.push_back({.rule = rule, .count = fields.number(), .severity = *severity});
    return fields.is_good();
  }

  CheckedFile file_;
  std::string_view reader_;
};

}  // namespace

std::string store_report(std::string_view key, const CheckedFile& file) {
  const Report& report = file.report;
  std::string text = make_line(stored_version, escape_field(key));
  text += make_line("file", report.format ? slug_of(*report.format) : "",
                    static_cast<unsigned>(report.verdict), report.well_formed ? 1 : 0, report.byte_count,
                    report.ignored, report.is_of_unknown_format ? 1 : 0, escape_field(report.error));
  for (const Finding& finding : report.findings) {
    text += make_line("finding", finding.rule->id, name_of(finding.severity),
                      store_location(finding.location), escape_field(finding.message));
    for (const Related& related : finding.related)
      text += make_line("related", store_location(related.location), escape_field(related.message));
  }
  for (const More& more : report.more)
    text += make_line("more", more.rule->id, name_of(more.severity), more.count);
  for (const Skip& skip : report.skipped)
    text += make_line("skip", escape_field(skip.path), escape_field(skip.reason));
  for (const std::uint64_t line : file.lines) text += make_line("line", line);
  return text + make_line(last_line);
}

std::optional<CheckedFile> restore_report(std::string_view text, std::string_view key,
                                          const InputFile& target, std::string_view reader) {
  const std::string first = make_line(stored_version, escape_field(key));
  if (!text.starts_with(first)) return std::nullopt;
  text.remove_prefix(first.size());
  Restoring restoring(target, reader);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (line == last_line) return text.empty() ? std::optional(restoring.take()) : std::nullopt;
    if (!restoring.add(line)) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace heapcheck::cli
