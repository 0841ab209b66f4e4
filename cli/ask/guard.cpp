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
#include "cli/system/files.hpp"

namespace heapcheck::cli {
namespace {

/// What the dumps are checked against.
struct Guarding {
  std::vector<std::string> rules = {};
  std::vector<std::string> known = {};
};

Result<std::string> read_named(const std::string& path) {
  auto text = read_file(path);
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
  }
  if (guarding.rules.empty())
    return std::unexpected(Error{ErrorKind::unsupported, "found no rules, expected --rules or --rule"});
  // A list that is still to be written need not be there.
  std::error_code code;
  const bool is_new =
      known && known == values.find<std::string>("write-known") && !std::filesystem::exists(*known, code);
  if (!known || is_new) return guarding;
  const auto text = read_named(*known);
  if (!text) return std::unexpected(text.error());
  auto fingerprints = parse_known_leaks(*text, show_path(*known));
  if (!fingerprints) return std::unexpected(fingerprints.error());
  guarding.known = std::move(*fingerprints);
  return guarding;
}

/// The list of known leaks, with those that the answer adds.
std::string list_known(const std::vector<std::string>& known, const Answer& answer) {
  std::map<std::string, std::string> reasons;
  for (const std::string& fingerprint : known) reasons.try_emplace(fingerprint);
  for (const CheckedCondition& condition : answer.conditions) {
    if (!condition.fingerprint.empty()) reasons[condition.fingerprint] = condition.text;
  }
  std::string text = "# Known leaks: fingerprints, which `heapcheck assert --write-known` writes.\n";
  for (const auto& [fingerprint, reason] : reasons)
    text += reason.empty() ? fingerprint + "\n" : fmt::format("{} # {}\n", fingerprint, reason);
  return text;
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
  const std::string written = values.get<std::string>("write-known");
  return ask_library("assert", values, options, written, [&](const Answer& answer) {
    return written.empty() || write_output(written, list_known(guarding->known, answer));
  });
}

}  // namespace heapcheck::cli
