#include "validate/report/text.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

#include "formats/core/excerpt.hpp"

namespace heapcheck::validation::report {
namespace {

constexpr std::string_view reset = "\x1b[0m";

struct Label {
  std::string_view text;
  std::string_view color;
};

Label label_of(const Rule& rule) {
  if (rule.stage == Stage::limit) return {"undecided", "\x1b[1;35m"};
  switch (rule.severity) {
    case Severity::error:
      return {"error", "\x1b[1;31m"};
    case Severity::warning:
      return {"warning", "\x1b[1;33m"};
    case Severity::note:
      return {"note", "\x1b[1;36m"};
  }
  return {};
}

std::string paint(const Label& label, const TextOptions& options) {
  return options.color ? fmt::format("{}{}{}", label.color, label.text, reset) : std::string(label.text);
}

/// Bytes of a path that are shown: names in it come from the file.
constexpr std::size_t max_path = 1000;

/// "/snapshots/0/collectables/7/kind, byte 14 of the content"; empty where there is nothing to say.
std::string describe(const Location& location) {
  std::string text = core::make_excerpt(location.path, max_path);
  if (location.content) {
    text += fmt::format("{}byte {} of the content", text.empty() ? "" : ", ", location.content->offset);
  }
  return text;
}

void append_finding(std::string& out, std::string_view name, const Finding& finding,
                    const TextOptions& options) {
  auto to = std::back_inserter(out);
  fmt::format_to(to, "{}:0x{:x}: {}: {} [{}]\n", name, finding.location.file.offset,
                 paint(label_of(*finding.rule), options), finding.message, finding.rule->id);
  if (const std::string place = describe(finding.location); !place.empty())
    fmt::format_to(to, "    at {}\n", place);
  for (const Related& related : finding.related) {
    const std::string place = describe(related.location);
    fmt::format_to(to, "    0x{:x}: {}{}{}\n", related.location.file.offset, related.message,
                   place.empty() ? "" : ", at ", place);
  }
}

std::string count(std::uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

void append_summary(std::string& out, std::string_view name, const Report& report,
                    const TextOptions& options) {
  const bool good = report.verdict == Verdict::valid;
  const Label verdict{name_of(report.verdict), good ? "\x1b[1;32m" : "\x1b[1;31m"};
  fmt::format_to(std::back_inserter(out), "{}: {}, {}: {}, {}, {}{}\n", name, slug_of(*report.format),
                 paint(verdict, options), count(report.count(Severity::error), "error"),
                 count(report.count(Severity::warning), "warning"),
                 count(report.count(Severity::note), "note"),
                 report.count_limits() != 0 ? ", " + count(report.count_limits(), "limit") : "");
}

}  // namespace

void append_text(std::string& out, std::string_view name, const Report& report, const TextOptions& options) {
  auto to = std::back_inserter(out);
  if (!report.format) {
    fmt::format_to(to, "{}: {}\n", core::make_excerpt(name, SIZE_MAX),
                   core::make_excerpt(report.error, SIZE_MAX));
    return;
  }
  const std::string shown = core::make_excerpt(name, SIZE_MAX);
  for (const Finding& finding : report.findings) append_finding(out, shown, finding, options);
  for (const More& more : report.more) {
    fmt::format_to(to, "{}: {}: {} more of the same kind [{}]\n", shown, paint(label_of(*more.rule), options),
                   more.count, more.rule->id);
  }
  for (const Skip& skip : report.skipped) {
    fmt::format_to(to, "    not checked: {}{}{}\n", core::make_excerpt(skip.path, max_path),
                   skip.path.empty() ? "" : ", ", skip.reason);
  }
  append_summary(out, shown, report, options);
}

}  // namespace heapcheck::validation::report
