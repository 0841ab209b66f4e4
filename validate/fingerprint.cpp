#include "validate/fingerprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "formats/core/keyed_hash.hpp"
#include "formats/core/text/excerpt.hpp"
#include "validate/catalog.hpp"

namespace heapcheck::validation {
namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::size_t most_bytes = 200;  // the most bytes of the path and of the message

/// `text` with `*` in place of each number, whether decimal or hexadecimal with `0x`.
std::string replace_numbers(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t start = std::min(text.find_first_of(digits), text.size());
    out.append(text.substr(0, start));
    text.remove_prefix(start);
    if (text.empty()) break;
    const bool is_hexadecimal = text.starts_with("0x");
    text.remove_prefix(is_hexadecimal ? 2 : 0);
    const std::size_t end = text.find_first_not_of(is_hexadecimal ? "0123456789abcdef" : digits);
    text.remove_prefix(std::min(end, text.size()));
    out += '*';
  }
  return out;
}

std::string describe(const Finding& finding) {
  return fmt::format("{} {} {}", finding.rule->id,
                     core::shorten(replace_numbers(finding.location.path), most_bytes),
                     core::shorten(replace_numbers(finding.message), most_bytes));
}

}  // namespace

std::vector<std::string> make_fingerprints(const Report& report) {
  std::unordered_map<std::string, std::uint64_t, core::KeyedHash> seen;
  std::vector<std::string> fingerprints;
  fingerprints.reserve(report.findings.size());
  for (const Finding& finding : report.findings) {
    std::string key = describe(finding);
    const std::uint64_t count = ++seen[key];
    if (count != 1) key += fmt::format(" ({})", count);
    fingerprints.push_back(std::move(key));
  }
  return fingerprints;
}

std::string make_fingerprint_of_unchecked(const Report& report) {
  const auto is_limit = [](const Finding& finding) { return finding.rule->stage == Stage::limit; };
  const auto limit = std::ranges::find_if(report.findings, is_limit);
  if (limit != report.findings.end()) return std::string(limit->rule->id);
  if (report.verdict == Verdict::undecided) return std::string(rule_of_unread(report).id);
  if (report.format) return {};
  return fmt::format("{} {}", rule_of_unread(report).id,
                     core::shorten(replace_numbers(report.error), most_bytes));
}

}  // namespace heapcheck::validation
