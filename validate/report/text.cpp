// Writes the report for people: one line for each finding, with details indented below it, and a final line
// for the file. No line is 200 columns or longer: long messages, paths and names are shortened in the middle.
#include "heapcheck/types/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "validate/catalog.hpp"
#include "validate/report/reporters.hpp"
#include "validate/report/statistics.hpp"

namespace heapcheck::validation::report {
namespace {

constexpr std::string_view reset = "\x1b[0m";

struct Label {
  std::string_view text;
  std::string_view color;
};

Label label_of(const Rule& rule, Severity severity) {
  if (rule.stage == Stage::limit) return {"undecided", "\x1b[1;35m"};
  switch (severity) {
    case Severity::error:
      return {"error", "\x1b[1;31m"};
    case Severity::warning:
      return {"warning", "\x1b[1;33m"};
    case Severity::note:
      return {"note", "\x1b[1;36m"};
  }
  return {};
}

std::string paint(const Label& label, const ReportOptions& options) {
  return options.color ? fmt::format("{}{}{}", label.color, label.text, reset) : std::string(label.text);
}

/// Lines are shorter than 200 columns. Their length is measured in bytes, because no character takes up more
/// columns than bytes.
constexpr std::size_t max_line = 199;
/// File names up to this length are shown in full. This leaves room for the longest id and offset.
constexpr std::size_t max_name = 100;

/// The number of columns that are left on a line after `taken` columns.
std::size_t room_after(std::size_t taken) { return max_line - std::min(max_line, taken); }

/// The name of a file in at most `room` columns. The folder is shortened first, so that the file's own name
/// remains complete unless it is too long by itself.
std::string shorten_name(std::string_view name, std::size_t room) {
  constexpr std::size_t least_folder = 8;
  const std::string whole = core::shorten(name, SIZE_MAX);
  const std::size_t slash = name.rfind('/');
  if (whole.size() <= room || slash == std::string_view::npos) return core::shorten(name, room);
  const std::string own = core::shorten(name.substr(slash), SIZE_MAX);
  if (own.size() + least_folder > room) return core::shorten(name, room);
  return core::shorten(name.substr(0, slash), room - own.size()) + own;
}

/// "/snapshots/0/collectables/7/kind, byte 14 of the content" in at most `room` columns; empty if there is
/// nothing to say. Only the path is shortened.
std::string describe(const Location& location, std::size_t room) {
  std::string content =
      location.content ? fmt::format("byte {} of the content", location.content->offset) : "";
  if (location.path.empty()) return content;
  const std::string_view separator = content.empty() ? "" : ", ";
  const std::size_t taken = separator.size() + content.size();
  return core::shorten(location.path, room - std::min(room, taken)).append(separator) + content;
}

void append_related(std::string& out, const Related& related) {
  constexpr std::size_t least_place = 80;
  const std::string offset = fmt::format("    0x{:x}: ", related.location.file.offset);
  const std::size_t room = room_after(offset.size());
  const std::size_t place_length = describe(related.location, least_place).size();
  const std::string_view separator = place_length == 0 ? "" : ", at ";
  const std::string message = core::shorten(related.message, room - separator.size() - place_length);
  const std::size_t taken = message.size() + separator.size();
  fmt::format_to(std::back_inserter(out), "{}{}{}{}\n", offset, message, separator,
                 describe(related.location, room - std::min(room, taken)));
}

/// Adds the first few places and the number of the others.
void append_all_related(std::string& out, std::span<const Related> places) {
  constexpr std::size_t most = 16;
  for (const Related& related : places.first(std::min(places.size(), most))) append_related(out, related);
  if (places.size() > most)
    fmt::format_to(std::back_inserter(out), "    and {} more\n", places.size() - most);
}

/// The position at which to break `text` so that at most `room` columns are on this line: after the last word
/// that fits, or inside a word that is too long for every line.
std::size_t find_break(std::string_view text, std::size_t room) {
  if (text.size() <= room) return text.size();
  const std::size_t space = text.substr(0, room + 1).rfind(' ');
  if (space != std::string_view::npos && space != 0) return space;
  while (room > 1 && (static_cast<unsigned char>(text[room]) & 0xC0U) == 0x80) --room;
  return room;
}

/// Adds a message and the end of its line. `taken` columns of the line are already used. What does not fit
/// continues on the following lines, which are indented. No words are left out unless the message is very
/// long.
void append_wrapped(std::string& out, std::string_view message, std::string_view end, std::size_t taken) {
  constexpr std::size_t most = 1000;
  constexpr std::string_view indent = "\n        ";
  const std::string shown = core::shorten(message, most);
  std::string_view rest = shown;
  while (rest.size() + end.size() > room_after(taken)) {
    const std::size_t length = find_break(rest, room_after(taken + end.size()));
    out.append(rest.substr(0, length)).append(indent);
    rest.remove_prefix(length);
    if (rest.starts_with(' ')) rest.remove_prefix(1);
    taken = indent.size() - 1;
  }
  out.append(rest).append(end);
}

void append_finding(std::string& out, std::string_view name, const Finding& finding,
                    const ReportOptions& options) {
  constexpr std::string_view at = "    at ";
  auto to = std::back_inserter(out);
  const Label label = label_of(*finding.rule, finding.severity);
  const std::string start = fmt::format("{}:0x{:x}: ", name, finding.location.file.offset);
  fmt::format_to(to, "{}{}: ", start, paint(label, options));
  append_wrapped(out, finding.message, fmt::format(" [{}]", finding.rule->id),
                 start.size() + label.text.size() + 2);
  out += '\n';
  if (const std::string place = describe(finding.location, room_after(at.size())); !place.empty())
    fmt::format_to(to, "{}{}\n", at, place);
  append_all_related(out, finding.related);
}

void append_skip(std::string& out, const Skip& skip) {
  constexpr std::string_view start = "    not checked: ";
  const std::string_view separator = skip.path.empty() ? "" : ", ";
  const std::size_t room = room_after(start.size() + separator.size());
  const std::string reason = core::shorten(skip.reason, room / 2);
  fmt::format_to(std::back_inserter(out), "{}{}{}{}\n", start, core::shorten(skip.path, room - reason.size()),
                 separator, reason);
}

/// The findings in the order of the report, except that among findings at the same offset and path, errors
/// come first, then warnings, and then notes.
std::vector<const Finding*> order_by_severity(const std::vector<Finding>& findings) {
  const auto place_of = [&](std::size_t i) {
    return std::pair(findings[i].location.file.offset, std::string_view(findings[i].location.path));
  };
  std::vector<std::size_t> by_place(findings.size());
  std::iota(by_place.begin(), by_place.end(), std::size_t{0});
  std::ranges::sort(by_place, {}, [&](std::size_t i) { return std::pair(place_of(i), i); });
  std::vector<std::size_t> by_severity = by_place;
  std::ranges::sort(by_severity, {}, [&](std::size_t i) {
    return std::tuple(place_of(i), -static_cast<int>(findings[i].severity), i);
  });
  std::vector<const Finding*> ordered(findings.size());
  for (std::size_t i = 0; i < ordered.size(); ++i) ordered[by_place[i]] = &findings[by_severity[i]];
  return ordered;
}

void append_summary(std::string& out, std::string_view name, const Report& report,
                    const ReportOptions& options) {
  const bool good = report.verdict == Verdict::valid;
  const Label verdict{name_of(report.verdict), good ? "\x1b[1;32m" : "\x1b[1;31m"};
  fmt::format_to(std::back_inserter(out), "{}: {}, {}: {}, {}, {}{}{}\n", name, slug_of(*report.format),
                 paint(verdict, options), core::counted(report.count(Severity::error), "error"),
                 core::counted(report.count(Severity::warning), "warning"),
                 core::counted(report.count(Severity::note), "note"),
                 report.count_limits() != 0 ? ", " + core::counted(report.count_limits(), "limit") : "",
                 report.ignored != 0 ? fmt::format(", {} ignored", report.ignored) : "");
}

/// Adds the reason why a file could not be read. The name is shortened only if the line does not have room
/// for both.
void append_error(std::string& out, std::string_view name, const Report& report,
                  const ReportOptions& options) {
  const Rule& rule = rule_of_unread(report);
  const Label label = label_of(rule, rule.severity);
  const std::string start = fmt::format(": {}: ", paint(label, options));
  const std::string end = fmt::format(" [{}]", rule.id);
  const std::size_t taken = label.text.size() + 4 + end.size();
  const std::size_t error_length = core::shorten(report.error, SIZE_MAX).size();
  const std::string shown = shorten_name(name, std::max(max_name, room_after(error_length + taken)));
  const std::size_t room = room_after(shown.size() + taken);
  fmt::format_to(std::back_inserter(out), "{}{}{}{}\n", shown, start, core::shorten(report.error, room), end);
}

void append_file(std::string& out, const NamedReport& file, const ReportOptions& options) {
  const std::string path = core::make_safe_path(file.name.empty() ? "''" : file.name);
  const Report& report = *file.report;
  if (!report.format) return append_error(out, path, report, options);
  auto to = std::back_inserter(out);
  const std::string shown = shorten_name(path, max_name);
  if (options.is_brief) return append_summary(out, shown, report, options);
  for (const Finding* finding : order_by_severity(report.findings))
    append_finding(out, shown, *finding, options);
  for (const More& more : report.more) {
    fmt::format_to(to, "{}: {}: {} more of the same kind [{}]\n", shown,
                   paint(label_of(*more.rule, more.severity), options), more.count, more.rule->id);
  }
  for (const Skip& skip : report.skipped) append_skip(out, skip);
  append_summary(out, shown, report, options);
}

class TextReporter final : public Reporter {
 public:
  explicit TextReporter(ReportOptions options) : options_(std::move(options)) {}

  std::string begin() override { return {}; }
  std::string add(const NamedReport& file) override {
    ++counts_[static_cast<std::size_t>(file.report->verdict)];
    if (options_.has_statistics) statistics_.add(file);
    std::string out;
    if (!options_.is_brief || file.report->fails(file.fail_level)) append_file(out, file, options_);
    return out;
  }
  std::string end() override {
    const std::string statistics = options_.has_statistics ? statistics_.make_text() : "";
    return statistics + count_files();
  }

 private:
  /// The number of files with each verdict, if there are several files.
  [[nodiscard]] std::string count_files() const {
    const std::uint64_t all = std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
    if (options_.is_brief || all < 2) return {};
    std::string counts;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] == 0) continue;
      counts +=
          fmt::format("{}{} {}", counts.empty() ? "" : ", ", counts_[i], name_of(static_cast<Verdict>(i)));
    }
    return fmt::format("{}: {}\n", core::counted(all, "file"), counts);
  }

  ReportOptions options_;
  Statistics statistics_;
  std::array<std::uint64_t, 5> counts_{};  // the number of files with each verdict
};

}  // namespace

std::unique_ptr<Reporter> make_text_reporter(const ReportOptions& options) {
  return std::make_unique<TextReporter>(options);
}

}  // namespace heapcheck::validation::report
