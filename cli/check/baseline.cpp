#include "cli/check/baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

#include "cli/output.hpp"
#include "cli/system/files.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

constexpr std::string_view first_line =
    "# heapcheck baseline 1: PATH, a tab, and the fingerprint of a finding";

void add_more(Report& report, const Rule* rule) {
  const auto more = std::ranges::find(report.more, rule, &More::rule);
  if (more != report.more.end())
    ++more->count;
  else
    report.more.push_back({rule, 1});
}

}  // namespace

Result<Baseline> Baseline::read(const std::string& path) {
  const auto text = read_file(path);
  if (!text) return std::unexpected(text.error());
  if (text->empty())
    return std::unexpected(
        Error{ErrorKind::unsupported, "is empty, expected a baseline written by --write-baseline"});
  std::istringstream lines(*text);
  Baseline baseline;
  std::string line;
  for (std::uint64_t number = 1; std::getline(lines, line); ++number) {
    const std::size_t tab = line.find('\t');
    // If the user names a report by mistake, it must not be read as a baseline without findings.
    const bool is_wrong = number == 1 ? line != first_line : tab == std::string::npos;
    if (is_wrong)
      return std::unexpected(
          Error{ErrorKind::unsupported,
                fmt::format("line {} does not belong to a baseline; --write-baseline writes one", number)});
    if (number != 1) baseline.known_[line.substr(0, tab)].insert(line.substr(tab + 1));
  }
  return baseline;
}

Baseline::Applied Baseline::apply(const std::string& path, Report& report, std::vector<std::uint64_t>& lines,
                                  std::uint64_t most) const {
  const auto found = known_.find(show_path(path));
  const std::set<std::string> known = found == known_.end() ? std::set<std::string>() : found->second;
  std::set<std::string> gone = known;
  const std::string unchecked = show_path(make_fingerprint_of_unchecked(report));
  const bool is_unchecked_known = gone.erase(unchecked) != 0;
  std::map<const Rule*, std::uint64_t> counts;
  const std::vector<std::string> fingerprints = make_fingerprints(report);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < fingerprints.size(); ++i) {
    Finding& finding = report.findings[i];
    // Shown on one line, as in the file.
    const std::string shown = show_path(fingerprints[i]);
    gone.erase(shown);
    const bool is_limit = finding.rule->stage == Stage::limit;
    if (is_limit ? is_unchecked_known : known.contains(shown)) {
      ++report.ignored;
    } else if (++counts[finding.rule] > most) {
      add_more(report, finding.rule);
    } else {
      if (i < lines.size()) lines[kept] = lines[i];
      if (kept != i) report.findings[kept] = std::move(finding);
      ++kept;
    }
  }
  report.findings.resize(kept);
  lines.resize(std::min(lines.size(), kept));
  std::ranges::sort(report.more, {}, [](const More& more) { return more.rule->id; });
  // If a file could not be read, there is no way to tell which of its findings are gone.
  if (!report.format) gone.clear();
  return {{gone.begin(), gone.end()}, is_unchecked_known};
}

void Baseline::add(const std::string& path, const Report& report) {
  std::set<std::string>& known = known_[show_path(path)];
  const std::vector<std::string> fingerprints = make_fingerprints(report);
  for (std::size_t i = 0; i < fingerprints.size(); ++i) {
    if (report.findings[i].rule->stage != Stage::limit) known.insert(show_path(fingerprints[i]));
  }
  const std::string unchecked = make_fingerprint_of_unchecked(report);
  if (!unchecked.empty()) known.insert(show_path(unchecked));
}

std::string Baseline::make_text() const {
  std::string text(first_line);
  text += '\n';
  for (const auto& [path, fingerprints] : known_) {
    for (const std::string& fingerprint : fingerprints) text += fmt::format("{}\t{}\n", path, fingerprint);
  }
  return text;
}

}  // namespace heapcheck::cli
