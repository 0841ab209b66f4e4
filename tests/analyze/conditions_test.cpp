#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "analyze/answers/conditions.hpp"
#include "analyze/answers/write.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck;
using Outcome = CheckedCondition::Outcome;

namespace {

/// A condition about types with hostile names, one that is undecided, and one that holds.
Answer make_answer() {
  Answer answer{.table = {.columns = {{"name", "Name"}}}, .text = "</pre><b>@all\n"};
  answer.conditions = {{.condition = "absent objects type=\"<b>\"",
                        .outcome = Outcome::violated,
                        .file = "./a,b:c.mvmheap",
                        .text = "found 2 \x1b[31m]]> nodes\n::error::100% of @all, expected none",
                        .details = "(root)\n</pre><script>&\n\n::warning::\n",
                        .fingerprint = "0123456789ab"},
                       {.condition = "no-new-leak",
                        .outcome = Outcome::undecided,
                        .file = "a",
                        .text = "found 1 snapshot, expected at least two"},
                       {.condition = "absent roots", .outcome = Outcome::holds, .file = "a"}};
  return answer;
}

std::string write(AnswerForm form) { return analyze::answers::write_answer(make_answer(), form); }

}  // namespace

TEST_CASE("conditions are counted by their outcomes", "[conditions]") {
  CHECK(analyze::answers::count_outcomes(make_answer().conditions) ==
        "3 conditions: 1 violated, 1 undecided, 1 holds");
  CHECK(analyze::answers::count_outcomes({}) == "no conditions");
}

TEST_CASE("those that do not hold come first for people", "[conditions]") {
  std::vector<CheckedCondition> conditions = make_answer().conditions;
  std::swap(conditions[0], conditions[2]);
  const std::string text = analyze::answers::show_conditions(conditions);
  CHECK(text.starts_with("violated: absent objects"));
  CHECK(text.contains("\nfingerprint 0123456789ab\n"));
  CHECK(text.find("undecided: no-new-leak") < text.find("holds: absent roots"));
  CHECK(analyze::answers::show_conditions(conditions, 1)
            .contains("and 2 more; --limit N shows N conditions\n"));
}

TEST_CASE("a report in JUnit XML has a test case for each condition", "[conditions]") {
  const std::string xml = write(AnswerForm::junit);
  CHECK(xml.contains(
      "<testcase classname=\"heapcheck\" name=\"absent objects type=&quot;&lt;b&gt;&quot; (0123456789ab)\">"
      "<failure type=\"violated\" message=\"found 2 \\x1b[31m]]&gt; nodes\\x0a"));
  CHECK(xml.contains("name=\"no-new-leak\"><error type=\"undecided\" message=\"found 1 snapshot, "));
  CHECK(xml.contains("<testcase classname=\"heapcheck\" name=\"absent roots\"/>\n"));
  CHECK(!xml.contains("<script"));
  CHECK(xml.contains("\n&lt;/pre&gt;&lt;script&gt;&amp;\n"));
}

TEST_CASE("a report for GitHub has one line for each condition that does not hold", "[conditions]") {
  const std::string lines = write(AnswerForm::github);
  CHECK(lines.starts_with(
      "::error file=a%2Cb%3Ac.mvmheap,title=heap.condition::absent objects type=\"<b>\": found 2 "
      "\\x1b[31m]]> nodes\\x0a"));
  CHECK(lines.contains("100%25 of"));
  CHECK(lines.ends_with(
      "\n::warning file=a,title=heap.condition::no-new-leak: found 1 snapshot, expected at least "
      "two\n"));
  CHECK(std::count(lines.begin(), lines.end(), '\n') == 2);
}

TEST_CASE("a report for GitLab or in SARIF has the conditions that do not hold", "[conditions]") {
  const std::string gitlab = write(AnswerForm::gitlab);
  CHECK(
      gitlab.contains("\"fingerprint\": \"a,b:c.mvmheap: absent objects type=\\\"<b>\\\" (0123456789ab)\""));
  CHECK(gitlab.contains("\"severity\": \"minor\""));
  CHECK(!gitlab.contains("absent roots"));
  const std::string sarif = write(AnswerForm::sarif);
  CHECK(sarif.contains("\"uri\": \"a%2Cb%3Ac.mvmheap\""));
  CHECK(sarif.contains("\"level\": \"warning\""));
  CHECK(!sarif.contains("absent roots"));
}

TEST_CASE("in Markdown, all text from a dump is inside HTML", "[conditions]") {
  const std::string text = write(AnswerForm::markdown);
  CHECK(text.starts_with("### heapcheck: 3 conditions: 1 violated, 1 undecided, 1 holds\n"));
  CHECK(text.contains("<tr><td>holds</td><td><code>absent roots</code></td><td></td></tr>\n"));
  CHECK(text.contains(
      "<details><summary>Path: <code>absent objects type=&quot;&lt;b&gt;&quot; (0123456789ab)"));
  CHECK(text.contains("\n&lt;/pre&gt;&lt;script&gt;&amp;\n"));
  CHECK(text.contains("<pre>\n&lt;/pre&gt;&lt;b&gt;@all\n</pre>"));
}

TEST_CASE("Markdown begins with the conditions that do not hold", "[conditions]") {
  Answer answer = make_answer();
  std::ranges::reverse(answer.conditions);
  const std::string text = analyze::answers::write_answer(answer, AnswerForm::markdown);
  CHECK(text.find("<td>violated</td>") < text.find("<td>undecided</td>"));
  CHECK(text.find("<td>undecided</td>") < text.find("<td>holds</td>"));
}

TEST_CASE("Markdown has a table of the rows that grew", "[conditions]") {
  Answer answer{.table = {.columns = {{"name", "Name"}, {"trend", "Trend"}, {"", "Size", Unit::number}}}};
  answer.table.rows = {{std::string("<i>@all"), std::string("grown"), std::string("+1 <B")},
                       {std::string("Same"), std::string("same"), std::string("0")},
                       {std::string("Gone"), std::string("gone"), std::string("-1 B")}};
  const std::string text = analyze::answers::write_answer(answer, AnswerForm::markdown);
  CHECK(
      text.starts_with("### heapcheck\n\n#### What grew\n\n<table>\n"
                       "<tr><th>Name</th><th>Trend</th><th>Size</th></tr>\n"
                       "<tr><td><code>&lt;i&gt;@all</code></td><td><code>grown</code></td>"
                       "<td align=\"right\">+1 &lt;B</td></tr>\n</table>\n"));
  answer.table.rows.clear();
  CHECK(!analyze::answers::write_answer(answer, AnswerForm::markdown).contains("What grew"));
}

TEST_CASE("Markdown fits in a comment on GitHub", "[conditions]") {
  Answer answer{.table = {.columns = {{"name", "Name"}}}, .text = std::string(100'000, '<') + "\n"};
  std::string path;
  for (int i = 0; i < 500; ++i) path += "<a step>\n";
  for (int i = 0; i < 200; ++i)
    answer.conditions.push_back(
        {.condition = "absent roots", .outcome = Outcome::violated, .text = "found 1 node", .details = path});
  const std::string text = analyze::answers::write_answer(answer, AnswerForm::markdown);
  CHECK(text.size() < 65'536);
  CHECK(std::ranges::count(text, '\n') > 1'000);
  CHECK(text.contains("</table>\n\nand 180 more\n"));
  CHECK(text.contains(" paths left out\n"));
  CHECK(text.ends_with("<details><summary>The answer</summary>\n<pre>\n...\n</pre>\n</details>\n"));
}

TEST_CASE("Markdown fits in a comment on GitHub, however long its cells are", "[conditions]") {
  Answer answer{.table = {.columns = {{"name", "Name"}, {"other", "Other"}}}};
  const std::string long_text(3'000, '"');
  for (int i = 0; i < 100; ++i) {
    answer.table.rows.push_back({long_text, long_text});
    answer.conditions.push_back(
        {.condition = "absent roots", .outcome = Outcome::violated, .text = long_text, .details = long_text});
  }
  const std::string text = analyze::answers::write_answer(answer, AnswerForm::markdown);
  CHECK(text.size() < 65'536);
  CHECK(text.size() > 30'000);
  CHECK(text.contains("#### What retains the most"));
}

TEST_CASE("Markdown has rows that grew, even after many that did not", "[conditions]") {
  Answer answer{.table = {.columns = {{"name", "Name"}, {"trend", "Trend"}}}};
  answer.table.rows.assign(100, {std::string("Gone"), std::string("gone")});
  answer.table.rows.push_back({std::string("Cache"), std::string("grown")});
  const std::string text = analyze::answers::write_answer(answer, AnswerForm::markdown);
  CHECK(text.contains("<tr><td><code>Cache</code></td><td><code>grown</code></td></tr>\n</table>"));
  answer.limit = 1;
  answer.table.rows.push_back({std::string("Later"), std::string("grown")});
  const std::string limited = analyze::answers::write_answer(answer, AnswerForm::markdown);
  CHECK(limited.contains("Cache"));
  CHECK(!limited.contains("Later"));
}

TEST_CASE("an answer as JSON has its conditions", "[conditions]") {
  CHECK(write(AnswerForm::json).contains("\"conditions\": [\n    {\n      \"condition\": \"absent objects "));
}
