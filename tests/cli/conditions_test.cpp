// Tests --fail-on for suspects and leaks, and the reports of the questions with conditions.
#include <fmt/format.h>

#include <cstddef>
#include <set>
#include <sstream>
#include <string>

#include "heapcheck/validate.hpp"
#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

const std::string compared = (root / "corpus/mvmheap/v3/seed/two-snapshots.mvmheap").string();

Outcome ask(const std::string& question, const std::string& rest) {
  return run("heapcheck " + question + " " + compared + " " + rest + " 2>&1 >/dev/null");
}

}  // namespace

TEST_CASE("suspects and leaks fail on entries that meet a condition", "[program][ask]") {
  for (const std::string question : {"suspects", "leaks"}) {
    INFO(question);
    CHECK(ask(question, "").status == 0);
    const Outcome met = ask(question, "--fail-on 'retained > 100'");
    CHECK(met.status == 1);
    CHECK(met.out.starts_with("heapcheck: retained > 100: "));
    CHECK(ask(question, "--fail-on 'retained > 1000'").status == 0);
    CHECK(ask(question, "--fail-on 'retained > 25%'").status == 1);
    CHECK(ask(question, "--fail-on 'retained > 50%'").status == 0);
    CHECK(ask(question, "--fail-on 'type=\"Überraum\": count >= 1'").status == 1);
    CHECK(ask(question, "--fail-on 'type~\"raum\": count >= 1'").status == 1);
    CHECK(ask(question, "--fail-on 'type=\"raum\": count >= 1'").status == 0);
    CHECK(ask(question, "--limit 1 --fail-on 'retained > 0'").out.contains("\nheapcheck: retained > 0: "));
  }
}

TEST_CASE("a condition that no suspect can meet is refused", "[program][ask]") {
  CHECK(ask("leaks", "--fail-on 'size > 1'").out ==
        "heapcheck: --fail-on: found size, expected count or retained\n");
  CHECK(ask("suspects", "--fail-on 'count > 1%'").status == 2);
  CHECK(ask("suspects", "--fail-on 'retained > +1'").status == 2);
}

TEST_CASE("questions with conditions have reports for CI systems", "[program][ask]") {
  for (const std::string question : {"suspects", "leaks", "diff", "growth"}) {
    INFO(question);
    const std::string snapshots = question == "diff" ? " --snapshots 0,1" : "";
    const std::string command = "heapcheck " + question + " " + compared + snapshots +
                                " --fail-on 'retained > 1' --fail-on 'count > 1000' --output ";
    const Outcome junit = run(command + "junit 2>/dev/null");
    CHECK(junit.status == 1);
    CHECK(junit.out.contains("<failure type=\"violated\" message=\""));
    CHECK(junit.out.contains("<testcase classname=\"heapcheck\" name=\"count &gt; 1000\"/>"));
    CHECK(run(command + "github 2>/dev/null").out.starts_with("::error file="));
    CHECK(run(command + "sarif 2>/dev/null")
              .out.contains(fmt::format("\"semanticVersion\": \"{}\",\n", version())));
    CHECK(run(command + "json 2>/dev/null").out.contains("\"conditions\": [\n"));
    CHECK(run(command + "markdown 2>/dev/null")
              .out.contains("<td>violated</td><td><code>retained &gt; 1</code>"));
  }
}

TEST_CASE("a summary in Markdown is added to a file, beside the answer", "[program][ask]") {
  const Scratch scratch;
  const std::string summary = scratch.file("summary.md", "# Tests\n");
  const std::string options = " --output junit --summary " + summary + " 2>/dev/null";
  const Outcome assert_answer =
      run("heapcheck assert " + compared + " --rule 'at-most 0 count nodes' --rule 'absent roots'" + options);
  CHECK(assert_answer.status == 1);
  CHECK(assert_answer.out.contains("<failure type=\"violated\""));
  CHECK(run("heapcheck growth " + compared + " --fail-on 'count > 1000'" + options).status == 0);
  const std::string text = read(summary);
  CHECK(text.starts_with("# Tests\n### heapcheck: 2 conditions: "));
  CHECK(text.contains("<tr><td>violated</td><td><code>at-most 0 count nodes</code></td><td><code>found "));
  CHECK(text.contains("<details><summary>Path: <code>at-most 0 count nodes</code></summary>\n<pre>\n"));
  CHECK(text.contains("\n### heapcheck: 1 condition: 1 holds\n"));
  CHECK(text.contains("\n#### What grew\n\n<table>\n<tr><th>Name</th><th>Trend</th><th>Count</th>"));
}

TEST_CASE("suspects and leaks have a table of what grew, even without conditions", "[program][ask]") {
  for (const std::string question : {"suspects", "leaks"}) {
    const std::string text = run("heapcheck " + question + " " + compared + " --output markdown").out;
    INFO(text);
    CHECK(
        text.starts_with("### heapcheck\n\n#### What grew\n\n<table>\n"
                         "<tr><th>Retained</th><th>Share</th><th>Reason</th><th>Fingerprint</th></tr>\n"
                         "<tr><td align=\"right\">"));
  }
}

TEST_CASE("a summary that cannot be written is an error", "[program][ask]") {
  const std::string command = "heapcheck growth " + compared + " --summary ";
  const Outcome unwritten = run(command + "/proc/nonexistent/summary.md 2>/dev/null");
  CHECK(unwritten.status == 2);
  CHECK(unwritten.out.contains("Trend"));  // the answer is there nevertheless
  CHECK(run(command + "- 2>&1 >/dev/null").out.contains("found - for --summary, expected a file"));
  const Scratch scratch;
  const std::string dump = scratch.path("dump.mvmheap");
  fs::copy_file(compared, dump);
  const Outcome refused = run("heapcheck growth " + dump + " --summary " + dump + " 2>&1 >/dev/null");
  CHECK(refused.status == 2);
  CHECK(refused.out.contains("is the input, which is never replaced"));
  const std::string rules = scratch.file("rules.toml", "rules = [\"absent roots\"]\n");
  const Outcome of_rules =
      run("heapcheck assert " + compared + " --rules " + rules + " --summary " + rules + " 2>&1 >/dev/null");
  CHECK(of_rules.status == 2);
  CHECK(of_rules.out.contains("is the file for --rules"));
  CHECK(read(rules) == "rules = [\"absent roots\"]\n");
  const std::string known = scratch.file("known.txt", "0123456789ab # ours\n");
  CHECK(run("heapcheck assert " + compared + " --rules " + rules + " --write-known " + known + " --summary " +
            known + " 2>&1 >/dev/null")
            .out.contains("is the file for --write-known"));
  const std::string naming =
      scratch.file("naming.toml", "known = \"known.txt\"\nrules = [\"absent roots\"]\n");
  const Outcome of_known =
      run("heapcheck assert " + compared + " --rules " + naming + " --summary " + known + " 2>&1 >/dev/null");
  CHECK(of_known.status == 2);
  CHECK(of_known.out.contains("is the list of known leaks, expected another file for --summary"));
  CHECK(read(known) == "0123456789ab # ours\n");
}

TEST_CASE("each row that violates a condition has a fingerprint of its own", "[program][ask]") {
  const std::string dump = (root / "corpus/mvmheap/v2/seed/moar-2018.03-small.mvmheap").string();
  const std::string command = "heapcheck growth " + dump + " --fail-on 'type~\"\": size > 500' --output ";
  const auto check = [&](const std::string& form, const std::string& key) {
    INFO(form);
    std::istringstream lines(run(command + form + " 2>/dev/null").out);
    std::set<std::string> found;
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line);) {
      if (!line.contains(key)) continue;
      ++count;
      found.insert(line);
    }
    CHECK(count > 2);
    CHECK(found.size() == count);
  };
  check("gitlab", "\"fingerprint\"");
  check("sarif", "heapcheckCondition/v1");
}
