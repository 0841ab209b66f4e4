// Property: a report is in order, names rules of the catalogue and places inside the input, its
// verdict follows from its findings, and the same input gives the same report, as text and as JSON.
#include "validate/validate.hpp"

#include <algorithm>
#include <tuple>

#include "formats/core/json/reader.hpp"
#include "formats/core/utf8.hpp"
#include "fuzz/support/inputs.hpp"
#include "validate/catalog.hpp"
#include "validate/report/json.hpp"
#include "validate/report/text.hpp"

using namespace heapcheck;
using namespace heapcheck::validate;
using fuzz::require;

namespace {

FileReport check(core::ByteSpan bytes) {
  return check_source(std::make_unique<core::MemorySource>(bytes), {.limits = fuzz::make_limits()});
}

auto order_key(const core::Finding& finding) {
  const core::Location& at = finding.location;
  return std::tuple(at.file.offset, at.content ? at.content->offset : 0, finding.rule->id, at.path);
}

Verdict judge(const FileReport& report) {
  if (!report.format) return Verdict::unreadable;
  std::vector<const core::Rule*> broken;
  for (const core::Finding& finding : report.findings) broken.push_back(finding.rule);
  for (const More& more : report.more) broken.push_back(more.rule);
  const auto has = [&](core::Stage stage) {
    return std::ranges::any_of(broken, [stage](const core::Rule* rule) {
      return rule->stage == stage && rule->severity == core::Severity::error;
    });
  };
  if (has(core::Stage::limit)) return Verdict::undecided;
  if (has(core::Stage::read)) return Verdict::not_well_formed;
  return has(core::Stage::check) ? Verdict::not_valid : Verdict::valid;
}

void check_json(std::string_view text) {
  core::MemorySource source(core::as_bytes(text));
  core::Window window(source);
  core::JsonReader reader(window, core::Limits{});
  require(reader.skip_value() == core::JsonToken::object_begin, "a JSON report is a JSON object");
  require(reader.next() == core::JsonToken::end && !reader.skip_whitespace(), "and nothing else");
}

void check_text(std::string_view text) {
  require(!core::find_invalid_utf8(core::as_bytes(text)), "a text report is UTF-8");
  const auto is_control = [](char c) { return (c >= 0 && c < ' ' && c != '\n') || c == '\x7F'; };
  require(std::ranges::none_of(text, is_control), "a text report has no control characters");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FileReport first = check({data, size});
  const FileReport second = check({data, size});
  require(std::ranges::is_sorted(first.findings, {}, order_key), "findings are in order");
  fuzz::require_places_inside(first.findings, first.byte_count);
  for (const core::Finding& finding : first.findings) {
    require(find_rule(finding.rule->id) == finding.rule, "a rule is in the catalogue");
  }
  require(first.verdict == judge(first), "the verdict follows from the findings");
  std::string texts[2];
  report::append_text(texts[0], "x", first, {});
  report::append_text(texts[1], "x", second, {});
  require(texts[0] == texts[1], "the same input gives the same text report");
  check_text(texts[0]);
  const report::NamedReport named[2] = {{"x", &first}, {"x", &second}};
  const std::string json = report::make_json("0", {named, 1});
  require(json == report::make_json("0", {named + 1, 1}), "the same input gives the same JSON report");
  check_json(json);
  return 0;
}
