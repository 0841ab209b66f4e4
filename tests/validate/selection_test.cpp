// Tests patterns for rule ids, and the effect of a selection on findings, counts and the verdict.
#include "validate/selection.hpp"

#include <algorithm>

#include "formats/core/faults.hpp"
#include "heapcheck/validate.hpp"
#include "tests/support/files.hpp"
#include "validate/catalog.hpp"
#include "validate/grammar.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;
using validation::Selection;

namespace {

using Lists = std::vector<std::string>;

const std::string cut = (root / "corpus/mvmheap/v3/seed/cut.mvmheap").string();
const std::string bad_entry = (root / "corpus/mvmheap/v3/case/toc-entry-end.mvmheap").string();

std::size_t count_rules(std::string_view pattern) { return validation::find_rules(pattern).size(); }

std::string error_of(const Lists& select, const Lists& ignore, const Lists& severity) {
  const auto made = Selection::make(select, ignore, severity);
  return made ? std::string() : made.error().message;
}

}  // namespace

TEST_CASE("a pattern stands for an id, for the ids below it, or for those that it matches", "[selection]") {
  CHECK(count_rules("mvm3.toc.entry-end") == 1);
  CHECK(count_rules("mvm3.toc") == count_rules("mvm3.toc.*"));
  CHECK(count_rules("mvm3.toc") > 3);
  CHECK(count_rules("mvm3.to") == 0);
  CHECK(count_rules("*") == validation::all_rules().size());
  CHECK(count_rules("*.toc.entry-e??") == 1);
  CHECK(count_rules("mvm3.*entry*end") == 1);
  CHECK(count_rules("mvm?.toc") == count_rules("mvm3.toc"));
}

TEST_CASE("a text that is not a pattern stands for no rule", "[selection]") {
  for (const char* text : {"", "[", "[]", "[!]", "mvm3.[a", "mvm[12].*", "mvm3,json", "mvm 3", "a]", "a=b"}) {
    INFO(text);
    CHECK(count_rules(text) == 0);
    CHECK(!validation::grammar::pattern(text));
  }
}

TEST_CASE("lists may have blanks around their items, and every item must be complete", "[selection]") {
  using namespace validation::grammar;
  CHECK(pattern_list("mvm3 , json.*")->size() == 2);
  CHECK(!pattern_list("mvm3,"));
  CHECK(!pattern_list(""));
  const auto items = severity_list("mvm3.* = note,json=off");
  REQUIRE(items);
  REQUIRE(items->size() == 2);
  CHECK(items->front().pattern == "mvm3.*");
  CHECK(items->front().level == "note");
  CHECK(items->back().level == "off");
  CHECK(!severity_list("mvm3="));
  CHECK(!severity_list("=note"));
}

TEST_CASE("a selection changes only the rules that it names, and the last severity counts", "[selection]") {
  const Rule* const rule = find_rule("mvm3.toc.entry-end");
  const Rule* const other = find_rule("mvm3.file.truncated");
  const auto made = Selection::make({}, {}, Lists{"mvm3.toc=note,mvm3.toc.entry-end=warning"});
  REQUIRE(made);
  CHECK(made->severity_of(*rule) == Severity::warning);
  CHECK(made->severity_of(*other) == other->severity);
  const auto off = Selection::make(Lists{"mvm3"}, Lists{"mvm3.file"}, Lists{"mvm3.toc=off"});
  REQUIRE(off);
  CHECK(!off->severity_of(*rule));
  CHECK(!off->severity_of(*other));
  CHECK(!off->severity_of(*find_rule("json.document.syntax")));
  CHECK(off->severity_of(core::rules::limit_memory) == core::rules::limit_memory.severity);
}

TEST_CASE("a selection that cannot mean anything is refused", "[selection]") {
  CHECK(error_of({"mvm4"}, {}, {}).starts_with("found mvm4, expected the id of a rule"));
  CHECK(error_of({"mvm3.tco"}, {}, {}).ends_with("a pattern that matches one; did you mean mvm3.toc"));
  CHECK(error_of({}, {}, {"mvm3=wraning"}).ends_with("error, warning, note or off; did you mean warning"));
  CHECK(error_of({}, {"limit.*"}, {}).find("limits") != std::string::npos);
  CHECK(error_of({}, {}, {"mvm3=bad"}) == "found bad, expected error, warning, note or off");
  CHECK(error_of({"a,,b"}, {}, {}).starts_with("found a,,b"));
}

TEST_CASE("the verdict of a file follows the selection, but its form does not", "[selection]") {
  const Report ignored = validate(cut, {.ignore = {"mvm3.file"}});
  CHECK(ignored.findings.empty());
  CHECK(ignored.more.empty());
  CHECK(ignored.ignored == 1);
  CHECK(ignored.verdict == Verdict::not_well_formed);
  CHECK(validate(bad_entry).verdict == Verdict::not_valid);
  CHECK(validate(bad_entry, {.ignore = {"mvm3.toc"}}).verdict == Verdict::valid);
  const Report note = validate(bad_entry, {.severity = {"mvm3.toc=note"}});
  CHECK(note.verdict == Verdict::valid);
  CHECK(note.count(Severity::note) == 1);
  CHECK(note.ignored == 0);
}

TEST_CASE("a selection that cannot mean anything makes no report", "[selection]") {
  const Report report = validate(cut, {.select = {"mvm4"}});
  CHECK(report.verdict == Verdict::unreadable);
  CHECK(report.error.starts_with("found mvm4"));
}
