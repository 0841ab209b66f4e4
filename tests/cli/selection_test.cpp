// Tests the options that choose rules, as their users see them.
#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

const std::string bad_entry = (root / "corpus/mvmheap/v3/case/toc-entry-end.mvmheap").string();

Outcome check(const std::string& arguments) {
  return run("heapcheck validate --no-config " + arguments + " 2>&1");
}

}  // namespace

TEST_CASE("the option --ignore takes findings out of the report and the exit status",
          "[program][selection]") {
  CHECK(check(bad_entry).status == 1);
  const Outcome ignored = check(bad_entry + " --ignore 'mvm3.toc.*,json'");
  CHECK(ignored.status == 0);
  CHECK(ignored.out.contains(": mvmheap-v3, valid: 0 errors, 0 warnings, 0 notes, 1 ignored\n"));
  CHECK(!ignored.out.contains("[mvm3.toc.entry-end]"));
  const Outcome json = check(bad_entry + " --ignore mvm3 --output json");
  CHECK(json.out.contains("\"ignored\": 1"));
  const Outcome truthful = check(cut_dump + " --ignore mvm3");
  CHECK(truthful.status == 0);
  CHECK(truthful.out.contains("not well-formed: 0 errors"));
}

TEST_CASE("the option --select takes everything else out, and --ignore wins over it",
          "[program][selection]") {
  CHECK(check(bad_entry + " --select json").status == 0);
  CHECK(check(bad_entry + " --select json --select 'mvm?.toc'").status == 1);
  CHECK(check(bad_entry + " --select mvm3 --ignore mvm3.toc.entry-end").status == 0);
}

TEST_CASE("the option --severity decides whether a finding fails the run", "[program][selection]") {
  const Outcome warning = check(bad_entry + " --severity mvm3.toc=warning");
  CHECK(warning.status == 0);
  CHECK(warning.out.contains(": warning: toc entry ends at 540"));
  CHECK(warning.out.contains("valid: 0 errors, 1 warning, 0 notes\n"));
  CHECK(check(bad_entry + " --severity mvm3.toc=warning --fail-level warning").status == 1);
  CHECK(check(bad_entry + " --severity mvm3=note --severity '*entry-end=error'").status == 1);
  CHECK(check(bad_entry + " --severity mvm3=off").status == 0);
}

TEST_CASE("a limit cannot be ignored", "[program][selection]") {
  const std::string limited = sound_dump + " --max-memory 1000";
  CHECK(check(limited).status == 5);
  CHECK(check(limited + " --ignore '*'").status == 5);
  CHECK(check(limited + " --select json").status == 5);
}

TEST_CASE("a choice of rules that means nothing exits 2 and names the nearest one", "[program][selection]") {
  for (const auto& [option, words] : {std::pair{"--select mvm4", "found mvm4, expected the id of a rule"},
                                      {"--select 'jsn.*'", "did you mean json"},
                                      {"--ignore mvm3.toc.entry-ned", "did you mean mvm3.toc.entry-end"},
                                      {"--ignore 'json,'", "found no value"},
                                      {"--ignore limit", "limits are always reported"},
                                      {"--severity mvm3=warn", "did you mean warning"},
                                      {"--severity mvm3", "expected a rule and its level"}}) {
    INFO(option);
    const Outcome outcome = check(bad_entry + " " + option);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.contains(words));
  }
}

TEST_CASE("rules and explain list a family", "[program][selection]") {
  const Outcome family = run("heapcheck explain mvm3.toc");
  CHECK(family.status == 0);
  CHECK(family.out.contains("mvm3.toc.entry-end "));
  CHECK(!family.out.contains("mvm3.file"));
  CHECK(run("heapcheck rules mvm3.toc").out == family.out);
  CHECK(run("heapcheck explain '*.entry-end'").out.contains("mvm3.toc.entry-end: error\n\nRule: "));
  CHECK(run("heapcheck rules --output json mvm3.toc").out.contains("\"id\": \"mvm3.toc.entry-end\""));
  const Outcome list = run("heapcheck rules 'mvm3.toc, json.*,mvm3.toc.entry-end'");
  CHECK(list.out == run("heapcheck rules 'json.*'").out + family.out);
  CHECK(run("heapcheck explain 'mvm3.toc,json.*'").out == list.out);
  const std::string aligned =
      run("heapcheck rules 'mvm1.collectables.childless-start,mvm3.toc.entry-end'").out;
  CHECK(aligned.contains("mvm1.collectables.childless-start warning  "));
  CHECK(aligned.contains("\nmvm3.toc.entry-end                error    "));
  CHECK(run("heapcheck explain mvm3.toc.entry-end,mvm3.toc.entry-end").out.contains("\n\nRule: "));
  CHECK(run("heapcheck rules json,mvm3.tox 2>&1")
            .out.contains("unknown rule mvm3.tox; did you mean mvm3.toc;"));
  CHECK(run("heapcheck explain json, 2>&1").out.contains("unknown rule \"\"; "));
  const Outcome unknown = run("heapcheck rules mvm4 2>&1");
  CHECK(unknown.status == 2);
  CHECK(unknown.out.contains("unknown rule mvm4; did you mean mvm"));
  CHECK(run("heapcheck explain '' 2>&1").out.contains("unknown rule \"\"; `heapcheck rules`"));
}

TEST_CASE("the option --statistics counts findings and files by rule", "[program][selection]") {
  const Scratch scratch;
  const std::string copy = scratch.file("copy.mvmheap", read(cut_dump));
  const Outcome outcome = check("--statistics " + bad_entry + " " + cut_dump + " " + copy);
  CHECK(outcome.status == 1);
  CHECK(
      outcome.out.contains("2 rules are broken:\n"
                           "         2 in 2 files      error      mvm3.file.truncated\n"
                           "         1 in 1 file       error      mvm3.toc.entry-end\n"));
  CHECK(check("--statistics --ignore mvm3 " + cut_dump).out.contains("no rule is broken\n"));
  CHECK(check("--statistics --max-per-rule 0 " + cut_dump).out.contains("1 in 1 file "));
}

TEST_CASE("findings of a severity and below can be hidden in every report", "[program][selection]") {
  for (const std::string form : {"text", "json", "ndjson", "sarif", "junit", "github", "gitlab"}) {
    INFO(form);
    const std::string check = "heapcheck validate --output " + form + " ";
    // SARIF also lists all rules.
    const std::string found = form == "sarif" ? "\"ruleId\"" : "mvm3.";
    CHECK(run(check + sound_dump).out.contains(found));
    CHECK(!run(check + "--hide note " + sound_dump).out.contains(found));
    CHECK(run(check + "--hide warning " + cut_dump).out.contains("mvm3.file.truncated"));
  }
  CHECK(run("heapcheck validate --hide note --fail-level note " + sound_dump).status == 0);
  CHECK(run("heapcheck validate --hide note " + sound_dump).out.contains("0 notes, 1 ignored"));
  CHECK(
      run("heapcheck validate --hide note --severity mvm3=warning " + sound_dump).out.contains("1 warning,"));
  CHECK(run("heapcheck validate --hide warning --severity mvm3=warning --fail-level warning " + sound_dump)
            .status == 0);
  CHECK(run("heapcheck validate --hide error " + sound_dump + " 2>&1").status == 2);
}
