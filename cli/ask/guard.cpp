// The command `assert`: reads the files of rules and of known leaks, and asks the library whether dumps meet
// the rules.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/ask/ask.hpp"
#include "cli/commands.hpp"
#include "cli/config/guard_rules.hpp"
#include "cli/output.hpp"
#include "cli/rewrite.hpp"
#include "cli/system/files.hpp"

namespace heapcheck::cli {
namespace {

/// What the dumps are checked against.
struct Guarding {
  std::vector<std::string> rules = {};
  std::vector<std::string> known = {};
  std::string known_path = {};  ///< of the list of known leaks that was read; empty if there is none
  std::string known_text = {};  ///< that list with its comments
};

/// Files of rules and lists are small, and a wrong path may be that of a dump or of a device without an end.
constexpr std::size_t max_list_bytes = std::size_t{1} << 20;

Result<std::string> read_named(const std::string& path) {
  auto text = read_file(path, max_list_bytes);
  if (!text) text.error().message = fmt::format("{}: {}", show_path(path), text.error().message);
  return text;
}

/// The rules of the file, each of which is parsed, so that an error can name its line.
Result<GuardRules> read_rules(const std::string& path) {
  const auto text = read_named(path);
  if (!text) return std::unexpected(text.error());
  auto parsed = parse_guard_rules(*text, show_path(path));
  if (!parsed) return parsed;
  for (const LinedRule& rule : parsed->rules) {
    const auto question = Question::make("assert", {{"rule", rule.text}});
    if (!question)
      return std::unexpected(Error{ErrorKind::unsupported, fmt::format("{}:{}: {}", show_path(path),
                                                                       rule.line, question.error().message)});
  }
  return parsed;
}

Result<Guarding> read_guarding(const Values& values) {
  Guarding guarding{.rules = values.get<std::vector<std::string>>("rule")};
  std::optional<std::string> known = values.find<std::string>("known");
  if (const auto path = values.find<std::string>("rules")) {
    const auto read = read_rules(*path);
    if (!read) return std::unexpected(read.error());
    for (const LinedRule& rule : read->rules) guarding.rules.push_back(rule.text);
    if (!known && read->known) known = (std::filesystem::path(*path).parent_path() / *read->known).string();
    if (guarding.rules.empty())
      return std::unexpected(
          Error{ErrorKind::unsupported,
                fmt::format("{}: found no rules, expected at least one", show_path(*path))});
  }
  if (guarding.rules.empty())
    return std::unexpected(Error{ErrorKind::unsupported, "found no rules, expected --rules or --rule"});
  // A list that is still to be written need not be there.
  const auto written = values.find<std::string>("write-known");
  const auto normal = [](const std::string& path) {
    return std::filesystem::absolute(path).lexically_normal();
  };
  std::error_code code;
  const bool is_new =
      known && written && normal(*known) == normal(*written) && !std::filesystem::exists(*known, code);
  if (!known || is_new) return guarding;
  const auto text = read_named(*known);
  if (!text) return std::unexpected(text.error());
  auto fingerprints = parse_known_leaks(*text, show_path(*known));
  if (!fingerprints) return std::unexpected(fingerprints.error());
  guarding.known = std::move(*fingerprints);
  guarding.known_path = *known;
  guarding.known_text = *text;
  return guarding;
}

/// The list of known leaks with its comments, followed by the leaks that the answer adds.
std::string list_known(const Guarding& guarding, const Answer& answer) {
  std::map<std::string, std::string> reasons;
  for (const CheckedCondition& condition : answer.conditions) {
    const bool is_known = std::ranges::find(guarding.known, condition.fingerprint) != guarding.known.end();
    if (!condition.fingerprint.empty() && !is_known) reasons[condition.fingerprint] = condition.text;
  }
  std::string text = guarding.known_text;
  if (text.empty()) text = "# Known leaks: fingerprints, which `heapcheck assert --write-known` writes.\n";
  if (!text.ends_with('\n')) text += '\n';
  for (const auto& [fingerprint, reason] : reasons) text += fmt::format("{} # {}\n", fingerprint, reason);
  return text;
}

/// Whether the list of known leaks may be written to that path. Prints why not.
bool check_list_path(const Values& values, const std::string& path) {
  auto inputs = values.get<std::vector<std::string>>("LATER");
  inputs.push_back(values.get<std::string>("FILE"));
  if (const auto rules = values.find<std::string>("rules")) inputs.push_back(*rules);
  return path.empty() || check_is_no_input(path, inputs);
}

/// Whether the file for --summary is not the list of known leaks, which the file of rules may name.
/// Prints why not.
bool check_summary_path(const Values& values, const Guarding& guarding) {
  const auto summary = values.find<std::string>("summary");
  if (!summary || guarding.known_path.empty() || !is_same_file(guarding.known_path, *summary)) return true;
  print_file_error(*summary, "is the list of known leaks, expected another file for --summary");
  return false;
}

}  // namespace

int run_assert(const Values& values) {
  const auto guarding = read_guarding(values);
  if (!guarding) return refuse_usage(guarding.error().message);
  const OptionValues options = {
      {"rule", guarding->rules},
      {"known", guarding->known},
      {"limit", std::uint64_t{most_rows(values) == SIZE_MAX ? 0 : most_rows(values)}},
      {"force", values.get<bool>("force")}};
  const auto written = values.get<std::string>("write-known");
  if (!check_list_path(values, written) || !check_summary_path(values, *guarding)) return usage;
  return ask_library("assert", values, options, written, [&](const Answer& answer) {
    return written.empty() || write_output(written, list_known(*guarding, answer));
  });
}

}  // namespace heapcheck::cli
