// The human-readable report: one line for each finding, with details indented below it, and a final line for
// the file. Nothing is left out. Text that does not fit in 199 columns continues on the next line; only the
// name of a file is never divided, so that it can be copied.
#include "heapcheck/types/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
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
/// The number of columns that are left on a line after `taken` columns.
std::size_t room_after(std::size_t taken) { return max_line - std::min(max_line, taken); }

/// The text in the form in which a report shows it, without shortening it.
std::string show(std::string_view text) { return core::shorten(text, SIZE_MAX); }

/// "/snapshots/0/collectables/7/kind, byte 14 of the content"; empty if there is nothing to say.
std::string describe(const Location& location) {
  const std::string content =
      location.content ? fmt::format("byte {} of the content", location.content->offset) : "";
  const std::string_view separator = location.path.empty() || content.empty() ? "" : ", ";
  return show(location.path).append(separator) + content;
}

/// The position at which to break `text` so that at most `room` columns are on this line: after the last word
/// that fits, or inside a word that is too long. If there is only little room, the word goes on the next
/// line.
std::size_t find_break(std::string_view text, std::size_t room) {
  constexpr std::size_t little = 20;
  if (text.size() <= room) return text.size();
  const std::size_t space = text.substr(0, room + 1).rfind(' ');
  if (space != std::string_view::npos && space != 0) return space;
  if (room < little) return 0;
  while (room > 1 && (static_cast<unsigned char>(text[room]) & 0xC0U) == 0x80) --room;
  return room;
}

/// Adds `text`, followed by `end`. `taken` columns of the line are already taken. Text for which there is no
/// room continues on the next lines, which are indented.
void append_wrapped(std::string& out, std::string_view text, std::string_view end, std::size_t taken) {
  constexpr std::string_view indent = "\n        ";
  while (text.size() + end.size() > room_after(taken)) {
    const std::size_t length = find_break(text, room_after(taken + end.size()));
    out.append(text.substr(0, length));
    while (out.ends_with(' ')) out.pop_back();
    out.append(indent);
    text.remove_prefix(length);
    if (text.starts_with(' ')) text.remove_prefix(1);
    taken = indent.size() - 1;
  }
  out.append(text).append(end);
}

/// Adds a line that consists of `start` and `text`, and continues on further lines if necessary.
void append_lines(std::string& out, std::string_view start, std::string_view text) {
  out.append(start);
  append_wrapped(out, text, "", start.size());
  out += '\n';
}

void append_related(std::string& out, const Related& related) {
  std::string text = show(related.message);
  if (const std::string place = describe(related.location); !place.empty())
    text.append(", at ").append(place);
  append_lines(out, fmt::format("    0x{:x}: ", related.location.file.offset), text);
}

/// Adds the first few places and the number of the others.
void append_all_related(std::string& out, std::span<const Related> places) {
  constexpr std::size_t most = 16;
  for (const Related& related : places.first(std::min(places.size(), most))) append_related(out, related);
  if (places.size() > most)
    fmt::format_to(std::back_inserter(out), "    and {} more\n", places.size() - most);
}

void append_finding(std::string& out, std::string_view name, const Finding& finding,
                    const ReportOptions& options) {
  auto to = std::back_inserter(out);
  const Label label = label_of(*finding.rule, finding.severity);
  const std::string start = fmt::format("{}:0x{:x}: ", name, finding.location.file.offset);
  fmt::format_to(to, "{}{}: ", start, paint(label, options));
  append_wrapped(out, show(finding.message), fmt::format(" [{}]", finding.rule->id),
                 start.size() + label.text.size() + 2);
  out += '\n';
  if (const std::string place = describe(finding.location); !place.empty())
    append_lines(out, "    at ", place);
  append_all_related(out, finding.related);
}

/// The path with `N` for each number, such as `/snapshots/N/references`.
std::string generalise(std::string_view path) {
  std::string general;
  for (const char c : path) {
    if (c < '0' || c > '9') {
      general += c;
    } else if (!general.ends_with('N')) {
      general += 'N';
    }
  }
  return general;
}

/// Appends a line for each reason. Parts with the same reason whose paths differ only in numbers, such as the
/// same part of each snapshot, share a line.
void append_skips(std::string& out, const std::vector<Skip>& skips) {
  std::vector<std::pair<const Skip*, std::uint64_t>> lines;
  std::map<std::pair<std::string, std::string_view>, std::size_t> line_of;
  for (const Skip& skip : skips) {
    const auto [at, is_new] = line_of.try_emplace({generalise(skip.path), skip.reason}, lines.size());
    if (is_new)
      lines.emplace_back(&skip, 0);
    else
      ++lines[at->second].second;
  }
  for (const auto& [skip, more] : lines) {
    std::string path = show(skip->path);
    if (more != 0) fmt::format_to(std::back_inserter(path), " and {} more like it", more);
    if (!path.empty()) path += ", ";
    append_lines(out, "    not checked: ", path + show(skip->reason));
  }
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

/// Adds the reason that a file could not be read.
void append_error(std::string& out, std::string_view name, const Report& report,
                  const ReportOptions& options) {
  const Rule& rule = rule_of_unread(report);
  const Label label = label_of(rule, rule.severity);
  fmt::format_to(std::back_inserter(out), "{}: {}: ", name, paint(label, options));
  append_wrapped(out, show(report.error), fmt::format(" [{}]", rule.id), name.size() + label.text.size() + 4);
  out += '\n';
}

void append_file(std::string& out, const NamedReport& file, const ReportOptions& options) {
  const std::string shown = core::show_path(file.name.empty() ? "''" : file.name);
  const Report& report = *file.report;
  if (!report.format) return append_error(out, shown, report, options);
  auto to = std::back_inserter(out);
  if (options.is_brief) return append_summary(out, shown, report, options);
  for (const Finding* finding : order_by_severity(report.findings))
    append_finding(out, shown, *finding, options);
  for (const More& more : report.more) {
    fmt::format_to(to, "{}: {}: {} more of the same kind [{}]\n", shown,
                   paint(label_of(*more.rule, more.severity), options), more.count, more.rule->id);
  }
  append_skips(out, report.skipped);
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
