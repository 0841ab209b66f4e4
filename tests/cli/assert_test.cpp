// Tests the command assert: rules, files of rules, known leaks, and exit statuses.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "cli/config/guard_rules.hpp"
#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

/// Three snapshots with 643, 663 and 663 nodes, of which 173, 178 and 178 are strings.
const std::string moar = (root / "corpus/mvmheap/v2/seed/moar-2018.03-small.mvmheap").string();
const std::string two_steps = (root / "corpus/mvmheap/v3/seed/two-snapshots.mvmheap").string();
const std::string node_heap = (root / "corpus/v8/heapsnapshot/seed/node-10.heapsnapshot").string();

Outcome check(const std::string& files, const std::string& rule) {
  return run(fmt::format("heapcheck assert {} --rule '{}' 2>&1", files, rule));
}

std::string find_rules_error(std::string_view text) {
  const auto rules = cli::parse_guard_rules(text, "leaks.toml");
  return rules ? std::string() : rules.error().message;
}

}  // namespace

TEST_CASE("a rule about the last snapshot says what was found and expected", "[program][assert]") {
  const Outcome many = check(moar, "at-most 177 objects type=\"VMString\"");
  CHECK(many.status == 1);
  CHECK(
      many.out.starts_with("violated: at-most 177 objects type=\"VMString\"\nfound 178 nodes, expected at "
                           "most 177 nodes\n\n(root), "
                           "retains "));
  CHECK(many.out.ends_with("\n1 condition: 1 violated\n"));
  CHECK(check(moar, "at-most 178 objects type=\"VMString\"").status == 0);
  CHECK(check(moar, "at-most 13K size objects type=\"VMString\"").out.contains("found 13.8 KiB of size, "));
  CHECK(check(moar, "at-most 14K size objects type=\"VMString\"").status == 0);
  CHECK(check(moar, "at-most 26% nodes kind=object type=\"VMString\"")
            .out.contains("expected at most 26 % (172 nodes)"));
  CHECK(check(moar, "at-most 27% nodes kind=object type=\"VMString\"").status == 0);
}

TEST_CASE("what nodes retain together counts once", "[program][assert]") {
  // The root retains the whole heap, and everything else is inside it.
  CHECK(check(moar, "at-most 100% retained nodes").status == 0);
  CHECK(check(moar, "at-most 99% retained nodes").status == 1);
}

TEST_CASE("a rule that nothing matches holds, and a name that may be misspelt is noted",
          "[program][assert]") {
  CHECK(check(moar, "absent objects type=\"VMStrin\"").out ==
        "holds: absent objects type=\"VMStrin\"\n1 condition: 1 holds\n");
  CHECK(check(moar, "absent objects type=\"VMString\"").out.contains("found 178 nodes, expected none\n"));
  const Outcome unknown = check(moar, "at-most 1 objects type=\"VMStrin\"");
  CHECK(unknown.status == 0);
  CHECK(unknown.out.contains("did you mean VMString"));
}

TEST_CASE("a number must not rise in every step", "[program][assert]") {
  CHECK(check(moar, "not-rising nodes").status == 0);       // the last two snapshots are equal
  const std::string rising = two_steps + " " + sound_dump;  // 6 nodes, 7 nodes, and thousands
  const Outcome risen = check(rising, "not-rising nodes");
  CHECK(risen.status == 1);
  CHECK(risen.out.contains("\nfound 6 nodes, 7 nodes and 39"));
  CHECK(risen.out.contains(", expected no rise in every step\n"));
  CHECK(check(rising, "not-rising 1 nodes").status == 0);
  CHECK(check(rising, "not-rising 17% nodes").status == 0);
  CHECK(
      check(rising, "not-rising 16% nodes").out.contains("expected no rise of more than 16 % in every step"));
  CHECK(check(node_heap, "not-rising nodes").out.contains("found 1 snapshot, expected at least three\n"));
  CHECK(check(node_heap, "not-rising nodes").status == 5);
  CHECK(check(two_steps, "not-rising nodes").out.contains("found 2 snapshots, expected at least three\n"));
}

TEST_CASE("the slope of a number is a mean over all snapshots", "[program][assert]") {
  CHECK(check(moar, "slope-at-most 10 nodes").status == 0);
  CHECK(check(moar, "slope-at-most 9 nodes")
            .out.contains("found a rise of 10 nodes for each snapshot (643 nodes, 663 nodes and 663 nodes), "
                          "expected at most 9 nodes\n"));
  CHECK(check(moar, "slope-at-most 2% nodes").status == 0);
  CHECK(check(moar, "slope-at-most 1% nodes").status == 1);
}

TEST_CASE("without a second snapshot, leaks are undecided", "[program][assert]") {
  CHECK(check(node_heap, "no-new-leak").status == 5);
  const Outcome same = check(node_heap + " " + node_heap, "no-new-leak");
  CHECK(same.status == 5);
  CHECK(same.out.contains("two snapshots contain the same nodes"));
}

TEST_CASE("known leaks are no violation", "[program][assert]") {
  const Scratch scratch;
  const std::string known = scratch.path("known.txt");
  const std::string leaking = "heapcheck assert " + two_steps + " --rule 'no-new-leak 1' ";
  const Outcome found = run(leaking + "--known " + known + " --write-known " + known);
  CHECK(found.status == 1);
  CHECK(found.out.starts_with("violated: no-new-leak 1\nfound a leak that grew by 120 B, expected none: "));
  const std::string written = read(known);
  CHECK(written.starts_with("# Known leaks: "));
  CHECK(written.contains(" # found a leak that grew by 120 B, expected none: "));
  CHECK(run(leaking + "--known " + known).status == 0);
  const std::string rules = scratch.file("leaks.toml", "known = \"known.txt\"\nrules = \"no-new-leak 1\"\n");
  CHECK(run("heapcheck assert " + two_steps + " --rules " + rules).status == 0);
  CHECK(run(leaking + "--known " + scratch.path("none.txt") + " 2>&1").status == 2);
}

TEST_CASE("a list of known leaks has fingerprints and comments", "[assert][config]") {
  const auto parsed = cli::parse_known_leaks("# one\n\n0123456789ab # leak\n", "k");
  REQUIRE(parsed);
  CHECK(*parsed == std::vector<std::string>{"0123456789ab"});
  CHECK(cli::parse_known_leaks("\nfoo", "k").error().message ==
        "k:2: found foo, expected a fingerprint or a comment");
}

TEST_CASE("a rule applies to the format that it names", "[program][assert]") {
  CHECK(check(moar, "heapsnapshot: absent nodes")
            .out.ends_with(": found no rule for a MoarVM heap dump, version 2, expected at least one\n"));
  const Outcome one = check(moar + " --rule 'heapsnapshot: absent nodes'", "mvmheap: at-most 1000 nodes");
  CHECK(one.status == 0);
  CHECK(one.out == "holds: at-most 1000 nodes\n1 condition: 1 holds\n");
  CHECK(check(moar, "at-most 1000 nodes' --rule 'at-most 2000 nodes")
            .out.ends_with("\n2 conditions: 2 hold\n"));
}

TEST_CASE("a file has rules for all formats and for one", "[assert][config]") {
  const auto rules = cli::parse_guard_rules(
      "known = \"k.txt\"\nrules = \"no-new-leak\"\n[heapsnapshot]\nrules = [\n\"absent detached\", 'absent "
      "roots']\n",
      "x");
  REQUIRE(rules);
  CHECK(rules->known == "k.txt");
  REQUIRE(rules->rules.size() == 3);
  CHECK(rules->rules[0].text == "no-new-leak");
  CHECK(rules->rules[0].line == 2);
  CHECK(rules->rules[2].text == "heapsnapshot: absent roots");
  CHECK(rules->rules[2].line == 4);
}

TEST_CASE("an error in a file of rules has the line and the nearest name", "[assert][config]") {
  CHECK(find_rules_error("\nrule = 1") ==
        "leaks.toml:2: unknown key rule; did you mean rules; the keys are rules, known, heapprofile, "
        "heapsnapshot and mvmheap");
  CHECK(find_rules_error("[heapsnapshto]").contains("did you mean heapsnapshot"));
  CHECK(find_rules_error("[mvmheap]\nrulse = []") ==
        "leaks.toml:2: unknown key rulse; did you mean rules; the only key is rules");
  CHECK(find_rules_error("mvmheap = 1") ==
        "leaks.toml:1: mvmheap: found a whole number, expected a section [mvmheap]");
  CHECK(find_rules_error("rules = [1]") == "leaks.toml:1: rules: found a whole number, expected a string");
  CHECK(find_rules_error("known = 1") == "leaks.toml:1: known: found a whole number, expected a string");
}

TEST_CASE("an error in a rule names the word and its line", "[program][assert]") {
  const Scratch scratch;
  const std::string rules =
      scratch.file("leaks.toml", "rules = [\"no-new-leak\"]\n[mvmheap]\nrules = \"at-mst 3 nodes\"\n");
  const Outcome wrong = run("heapcheck assert " + moar + " --rules " + rules + " 2>&1");
  CHECK(wrong.status == 2);
  CHECK(
      wrong.out ==
      fmt::format("heapcheck: {}:3: in the rule, found \"at-mst\" at character 10, expected absent, at-most, "
                  "not-rising, slope-at-most or no-new-leak; did you mean at-most\n",
                  rules));
  CHECK(check(moar, "at-most nodes").out.contains("expected a number below 2^64"));
  CHECK(check(moar, "absent object").out.contains("did you mean objects"));
  CHECK(
      check(moar, "no-new-leak 1% nodes").out.contains("found \"nodes\" at character 16, expected the end"));
  CHECK(run("heapcheck assert " + moar + " 2>&1").out ==
        "heapcheck: found no rules, expected --rules or --rule\n");
}

TEST_CASE("a damaged file is not a violation", "[program][assert]") {
  CHECK(check(cut_dump, "absent nodes").status == 4);
}

TEST_CASE("the example of a file of rules is as on the page, and can be used", "[program][assert]") {
  const std::string rules = (root / "examples/guard/leaks.toml").string();
  CHECK(read(root / "docs/guarding.md").contains("```toml\n" + read(rules) + "```\n"));
  CHECK(run("heapcheck assert " + two_steps + " --rules " + rules).status == 1);
  CHECK(run("heapcheck assert " + moar + " --rules " + rules).status == 0);
}

TEST_CASE("the list of known leaks never replaces a dump or the file of rules", "[program][assert]") {
  const Scratch scratch;
  const std::string copy = scratch.file("a.mvmheap", read(two_steps));
  const std::string rules = scratch.file("leaks.toml", "rules = ['no-new-leak 1']\n");
  for (const std::string& input : {copy, rules}) {
    const std::string before = read(input);
    const Outcome outcome =
        run(fmt::format("heapcheck assert {} --rules {} --write-known {} 2>&1", copy, rules, input));
    CHECK(outcome.status == 2);
    CHECK(outcome.out.contains("is the input, which is never replaced"));
    CHECK(read(input) == before);
  }
}

TEST_CASE("the comments in a list of known leaks are kept", "[program][assert]") {
  const Scratch scratch;
  const std::string known = scratch.file("known.txt", "# Ours\n0123456789ab # it is a cache");
  const std::string command =
      fmt::format("heapcheck assert {} --rule 'no-new-leak 1' --known {} --write-known {}", two_steps, known,
                  scratch.path().string() + "/./known.txt");
  CHECK(run(command).status == 1);
  CHECK(read(known).starts_with("# Ours\n0123456789ab # it is a cache\n"));
  CHECK(read(known).contains(" # found a leak that grew by "));
  const std::string once = read(known);
  CHECK(run(command).status == 0);
  CHECK(read(known) == once);
}

TEST_CASE("percentages of rules may have a decimal point", "[program][assert]") {
  CHECK(check(moar, "at-most 26.8% nodes kind=object type=\"VMString\"").status == 1);
  CHECK(check(moar, "at-most 26.9 % nodes kind=object type=\"VMString\"").status == 0);
  for (const std::string wrong : {"0.5", "1.5K", "1e1%", "1.%", ".5%", "inf%"}) {
    CAPTURE(wrong);
    CHECK(check(moar, "at-most " + wrong + " nodes").status == 2);
  }
}

TEST_CASE("the same snapshot twice after that of another process is undecided", "[program][assert]") {
  const std::string other = (root / "corpus/v8/heapsnapshot/seed/node-16.heapsnapshot").string();
  const Outcome outcome = check(other + " " + node_heap + " " + node_heap, "no-new-leak");
  CHECK(outcome.status == 5);
  CHECK(outcome.out.contains("snapshots contain the same nodes"));
}

TEST_CASE("a rise that is not a whole number of nodes is shown as it is", "[program][assert]") {
  CHECK(check(moar, "slope-at-most 2 objects type=\"VMString\"")
            .out.contains("found a rise of 2.5 nodes for each"));
}

TEST_CASE("files of rules without an end or without rules are refused", "[program][assert]") {
  const Scratch scratch;
  const std::string empty = scratch.file("empty.toml", "");
  CHECK(run("heapcheck assert " + moar + " --rules " + empty + " 2>&1")
            .out.contains("empty.toml: found no rules"));
  CHECK(run("heapcheck assert " + moar + " --rules /dev/zero 2>&1")
            .out.contains("found more than 1048576 bytes"));
}

TEST_CASE("a sum of sizes beyond 64 bits is not 0", "[program][assert]") {
  const Scratch scratch;
  std::string text = read(root / "corpus/v8/heapsnapshot/seed/small.heaptimeline");
  const std::size_t size = text.find(",64,1,2,0,");
  REQUIRE(size != std::string::npos);
  text.replace(size, 3, ",18446744073709551615");
  const Outcome outcome = run("heapcheck assert " + scratch.file("large.heaptimeline", text) +
                              " --rule 'at-most 100 size objects' --output json 2>/dev/null");
  CHECK(outcome.status == 1);
  CHECK(outcome.out.contains("18446744073709551615"));
}
