// The property of reports on files in any format: findings are in order, their rules are in the catalogue,
// their places are inside the input, the verdict follows from the findings, and the same input always
// produces the same report, as text and as JSON.
#pragma once

#include <algorithm>
#include <tuple>

#include "formats/core/json/reader.hpp"
#include "formats/core/text/utf8.hpp"
#include "fuzz/support/check.hpp"
#include "heapcheck/validate.hpp"
#include "validate/catalog.hpp"

namespace heapcheck::fuzz {

inline auto order_key(const Finding& finding) {
  const Location& at = finding.location;
  return std::tuple(at.file.offset, at.content ? at.content->offset : 0, finding.rule->id, at.path);
}

inline Verdict judge(const Report& report) {
  if (!report.format) return Verdict::unreadable;
  std::vector<const Rule*> broken;
  for (const Finding& finding : report.findings) broken.push_back(finding.rule);
  for (const More& more : report.more) broken.push_back(more.rule);
  const auto has = [&](Stage stage) {
    return std::ranges::any_of(broken, [stage](const Rule* rule) {
      return rule->stage == stage && rule->severity == Severity::error;
    });
  };
  if (has(Stage::limit)) return Verdict::undecided;
  if (has(Stage::read)) return Verdict::not_well_formed;
  return has(Stage::check) ? Verdict::not_valid : Verdict::valid;
}

inline void check_json(std::string_view text) {
  core::MemorySource source(core::as_bytes(text));
  core::Window window(source);
  core::JsonReader reader(window, Limits{});
  require(reader.skip_value() == core::JsonToken::object_begin, "a JSON report is a JSON object");
  require(reader.next() == core::JsonToken::end && !reader.skip_whitespace(),
          "nothing follows the object in a JSON report");
}

inline void check_text(std::string_view text) {
  require(!core::find_invalid_utf8(core::as_bytes(text)), "a text report is UTF-8");
  const auto is_control = [](char c) { return (c >= 0 && c < ' ' && c != '\n') || c == '\x7F'; };
  require(std::ranges::none_of(text, is_control), "a text report has no control characters");
}

/// Checks the property for `bytes`.
inline void require_good_report(core::ByteSpan bytes, const validation::ReaderProfile& reader = {}) {
  const Report first = check(bytes, make_limits(), reader);
  const Report second = check(bytes, make_limits(), reader);
  require(std::ranges::is_sorted(first.findings, {}, order_key), "findings are in order");
  require_places_inside(first.findings, first.byte_count);
  for (const Finding& finding : first.findings) {
    require(validation::find_rule(finding.rule->id) != nullptr, "the rule of a finding is in the catalogue");
  }
  require(first.verdict == judge(first), "the verdict follows from the findings");
  const NamedReport named[2] = {{"x", &first}, {"x", &second}};
  const std::string text = make_text(named[0]);
  require(text == make_text(named[1]), "the same input produces the same text report");
  check_text(text);
  const std::string json = make_json({named, 1});
  require(json == make_json({named + 1, 1}), "the same input produces the same JSON report");
  check_json(json);
}

}  // namespace heapcheck::fuzz
