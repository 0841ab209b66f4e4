#include "conformance/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include "conformance/check.hpp"
#include "conformance/parallel.hpp"
#include "conformance/recipe/build.hpp"
#include "conformance/recipe/labels.hpp"

namespace heapcheck::conformance {
namespace {

struct Prepared {
  CaseFile file;
  Built built;
  CheckSettings settings;
};

std::expected<Prepared, std::string> prepare(const std::filesystem::path& path) {
  Prepared prepared;
  auto file = read_case_file(path);
  if (!file) return std::unexpected(std::move(file.error()));
  const auto statements = join_base(*file);
  if (!statements) return std::unexpected(statements.error());
  for (const Statement& statement : *statements) {
    const auto* limit = std::get_if<statement::Limit>(&statement);
    if (limit != nullptr && !set_limit(prepared.settings, limit->name, limit->value)) {
      return std::unexpected(fmt::format("no limit is called {}", limit->name));
    }
    const auto* reader = std::get_if<statement::ForReader>(&statement);
    if (reader != nullptr) prepared.settings.reader = reader->name;
  }
  auto built = build(*statements);
  if (!built) return std::unexpected(std::move(built.error()));
  prepared.file = std::move(*file);
  prepared.built = std::move(*built);
  return prepared;
}

/// A verdict or finding, either expected or found, as a line in a case file.
struct ExpectationLine {
  std::string text;
  std::string note;  ///< for humans, printed after the line

  friend bool operator==(const ExpectationLine& a, const ExpectationLine& b) { return a.text == b.text; }
};
using Expectation = std::vector<ExpectationLine>;

std::string write_finding(std::string_view rule, std::string_view place, std::string_view path) {
  return fmt::format("finding {} at {}{}{}", rule, place, path.empty() ? "" : " path ", path);
}

std::string write_place(const Place& place) {
  if (place.label.empty()) return std::to_string(place.shift);
  const std::string shift =
      place.shift == 0 ? "" : fmt::format(" {} {}", place.shift < 0 ? '-' : '+', std::abs(place.shift));
  return fmt::format("{}{}{}", place.at_end ? "end of " : "", place.label, shift);
}

std::vector<const statement::Finding*> expected_findings(const CaseFile& file) {
  std::vector<const statement::Finding*> findings;
  for (const Statement& statement : file.statements) {
    if (const auto* finding = std::get_if<statement::Finding>(&statement)) findings.push_back(finding);
  }
  return findings;
}

Expectation read_expectation(Prepared& prepared) {
  Expectation lines;
  for (const Statement& statement : prepared.file.statements) {
    if (const auto* expect = std::get_if<statement::Expect>(&statement))
      lines.push_back({"expect " + expect->verdict, ""});
  }
  for (const statement::Finding* finding : expected_findings(prepared.file)) {
    const auto offset = prepared.built.find(finding->place);
    lines.push_back({write_finding(finding->rule, write_place(finding->place), finding->path),
                     offset ? fmt::format("offset {}", *offset) : offset.error()});
  }
  return lines;
}

/// Writes the result in the form of the expectation, with the same labels for the same places and without the
/// paths that the expectation leaves out.
Expectation describe_result(const CheckResult& result, Prepared& prepared) {
  Expectation lines{{"expect " + result.verdict, ""}};
  const auto expected = expected_findings(prepared.file);
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    const FoundFinding& found = result.findings[i];
    std::string place = describe_place(prepared.built, found);
    std::string_view path = found.path;
    if (i < expected.size() && expected[i]->rule == found.rule) {
      const auto spot = prepared.built.find_spot(expected[i]->place);
      if (spot && is_at(*spot, found)) place = write_place(expected[i]->place);
      if (expected[i]->path.empty()) path = "";
    }
    lines.push_back(
        {write_finding(found.rule, place, path), fmt::format("offset {}: {}", found.offset, found.message)});
  }
  return lines;
}

std::string describe_difference(const Expectation& expected, const Expectation& found) {
  std::string text;
  const auto add = [&text](char mark, const ExpectationLine& line) {
    text += fmt::format("  {} {}{}{}\n", mark, line.text, line.note.empty() ? "" : "   # ", line.note);
  };
  for (const ExpectationLine& line : expected) {
    add(std::ranges::count(found, line) != 0 ? ' ' : '-', line);
  }
  for (const ExpectationLine& line : found) {
    if (std::ranges::count(expected, line) == 0) add('+', line);
  }
  return text;
}

bool rewrite_expectation(const CaseFile& file, const Expectation& found) {
  std::string text = file.text.substr(0, file.expectation_offset);
  for (const ExpectationLine& line : found) text += line.text + "\n";
  std::ofstream stream(file.path, std::ios::binary | std::ios::trunc);
  stream << text;
  return stream.flush().good();
}

}  // namespace

std::vector<std::filesystem::path> find_cases(const std::filesystem::path& folder,
                                              const std::vector<std::string>& filters) {
  std::vector<std::filesystem::path> found;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".case") continue;
    const std::string name = name_of_case(folder, entry.path());
    const auto matches = [&name](const std::string& filter) {
      return name.find(filter) != std::string::npos;
    };
    if (filters.empty() || std::ranges::any_of(filters, matches)) found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

std::string name_of_case(const std::filesystem::path& folder, const std::filesystem::path& path) {
  return path.lexically_relative(folder).replace_extension().generic_string();
}

std::expected<Bytes, std::string> build_case(const std::filesystem::path& path) {
  auto prepared = prepare(path);
  if (!prepared) return std::unexpected(std::move(prepared.error()));
  return std::move(prepared->built.bytes);
}

Outcome run_case(const std::filesystem::path& path, bool rewrite) {
  Outcome outcome;
  auto prepared = prepare(path);
  if (!prepared) {
    outcome.difference = fmt::format("  {}\n", prepared.error());
    return outcome;
  }
  const auto result = check(prepared->built.bytes, prepared->settings);
  if (!result) {
    outcome.difference = fmt::format("  no reader is called {}\n", prepared->settings.reader);
    return outcome;
  }
  const Expectation expected = read_expectation(*prepared);
  const Expectation found = describe_result(*result, *prepared);
  outcome.passed = expected == found;
  if (outcome.passed) return outcome;
  outcome.difference = fmt::format("  {}\n{}", prepared->file.title(), describe_difference(expected, found));
  if (rewrite) outcome.rewritten = rewrite_expectation(prepared->file, found);
  return outcome;
}

std::vector<Outcome> run_cases(const std::vector<std::filesystem::path>& paths, bool rewrite, unsigned jobs) {
  std::vector<Outcome> outcomes(paths.size());
  for_each_index(paths.size(), jobs, [&](std::size_t i) { outcomes[i] = run_case(paths[i], rewrite); });
  return outcomes;
}

}  // namespace heapcheck::conformance
