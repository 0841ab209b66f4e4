// Tests configuration files: their content, where they are found, and which settings apply.
#include "cli/config/config.hpp"

#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

std::string config_error(std::string_view text) {
  const auto config = cli::parse_config(text, "c.toml");
  return config ? std::string() : config.error().message;
}

/// A folder a/b with a damaged dump, and configuration files in `.` and `a` with these texts.
struct Folders {
  Scratch scratch;
  Folders(std::string_view outer, std::string_view inner) {
    fs::create_directories(scratch.path() / "a/b");
    static_cast<void>(scratch.file("a/b/cut.mvmheap", read(cut_dump)));
    if (!outer.empty()) static_cast<void>(scratch.file(".heapcheck.toml", outer));
    if (!inner.empty()) static_cast<void>(scratch.file("a/.heapcheck.toml", inner));
  }
  [[nodiscard]] Outcome run_in(const std::string& command) const {
    return run("cd " + scratch.path().string() + " && heapcheck " + command + " 2>&1");
  }
};

}  // namespace

TEST_CASE("a configuration has settings for all files and for some paths", "[config]") {
  const auto config = cli::parse_config(
      "select = \"mvm3\"\nmax-per-rule = 3\n[[override]]\npaths = [\"old/*\"]\nfail-level = \"note\"\n",
      "c.toml");
  REQUIRE(config);
  REQUIRE(config->sections.size() == 2);
  const auto& settings = config->sections[0].settings;
  REQUIRE(settings.size() == 2);
  CHECK(settings[0].name == "select");
  CHECK(std::get<std::vector<std::string>>(settings[0].value) == std::vector<std::string>{"mvm3"});
  CHECK(settings[1].line == 2);
  CHECK(std::get<std::uint64_t>(settings[1].value) == 3);
  CHECK(config->sections[1].paths == std::vector<std::string>{"old/*"});
  CHECK(cli::parse_config("", "c.toml")->sections.size() == 1);
}

TEST_CASE("an error in a configuration has the line and the nearest name", "[config]") {
  for (const auto& [text, words] :
       {std::pair{"\nignor = 1", "c.toml:2: unknown key ignor; did you mean ignore; the keys are select,"},
        {"jobs = 4", "c.toml:1: unknown key jobs; the keys are"},
        {"a = [", "c.toml:1: is not TOML: "},
        {"ignore = 3", "c.toml:1: ignore: found a whole number, expected a string or an array of strings"},
        {"ignore = [\"json\", true]", "c.toml:1: ignore: found a Boolean value, expected a string"},
        {"ignore = \"mvm4\"", "c.toml:1: ignore: found mvm4, expected the id of a rule"},
        {"severity = [\"json=of\"]", "c.toml:1: severity: found of, expected error, warning, note or off"},
        {"fail-level = \"warn\"", "did you mean warning"},
        {"fail-level = 1.5", "c.toml:1: fail-level: found a number with a fraction"},
        {"max-per-rule = -1", "c.toml:1: max-per-rule: found -1, expected a whole number from 0 to 10000"},
        {"max-per-rule = \"2\"", "c.toml:1: max-per-rule: found a string"},
        {"override = 3", "c.toml:1: override: found a whole number, expected sections [[override]]"},
        {"override = [1]", "c.toml:1: override: found a whole number"},
        {"[[override]]\nignore = \"json\"", "c.toml:1: override: found no paths"},
        {"[[override]]\npaths = \"a\"\nselct = \"json\"", "c.toml:3: unknown key selct; did you mean select"},
        {"for = \"all\"", "c.toml:1: for: found all, expected devtools, "},
        {"for = 1", " or perfetto"},
        {"[[overide]]\npaths = \"a\"", "c.toml:1: unknown key overide; did you mean override; the keys are"},
        {"[[override]]\npats = \"a\"",
         "c.toml:2: unknown key pats; did you mean paths; the keys are select, ignore, severity, hide, "
         "fail-level, "
         "max-per-rule, for and paths"},
        {"[[override]]\npaths = \"a\"\noverride = 1", "unknown key override; the keys are select,"}}) {
    INFO(text << '\n' << config_error(text));
    CHECK(config_error(text).find(words) != std::string::npos);
  }
  CHECK(config_error(std::string(cli::max_config_bytes + 1, '\n')).find("expected at most") !=
        std::string::npos);
}

TEST_CASE("characters beyond ASCII are accepted in comments and as escapes", "[config]") {
  const std::string umlaut = "\xC3\xBC";
  const auto config =
      cli::parse_config("\xEF\xBB\xBF# f" + umlaut + "r\n[[override]]\npaths = [\"\\u00fc/*\"]\n", "c");
  REQUIRE(config);
  CHECK(config->sections.back().paths == std::vector<std::string>{umlaut + "/*"});
  CHECK(cli::make_toml(cli::Value(umlaut)) == "\"\\U000000fc\"");
  CHECK(config_error("\n" + umlaut + " = 1").starts_with("c.toml:2: found a non-ASCII character"));
}

TEST_CASE("deeply nested tables are refused without a crash", "[config]") {
  std::string nested = "a";
  while (nested.size() + 5 < cli::max_config_bytes) nested += ".a";
  CHECK(config_error(nested + "=1").starts_with("c.toml:1: unknown key a"));
}

TEST_CASE("a pattern without a slash is for the name, and others for the path", "[config]") {
  CHECK(cli::matches_path("*.mvmheap", "a/b.mvmheap"));
  CHECK(cli::matches_path("b*", "a/b.mvmheap"));
  CHECK(!cli::matches_path("a*", "a/b.mvmheap"));
  CHECK(cli::matches_path("a/*", "a/b/c.mvmheap"));
  CHECK(!cli::matches_path("b/*", "a/b/c.mvmheap"));
}

TEST_CASE("the configuration in the nearest folder is used, and the report says so", "[program][config]") {
  const Folders folders("ignore = \"mvm3.file\"", "");
  const Outcome found = folders.run_in("validate a/b/cut.mvmheap");
  CHECK(found.status == 0);
  CHECK(found.out.contains("heapcheck: using the configuration .heapcheck.toml\n"));
  CHECK(folders.run_in("validate a").status == 0);
  CHECK(folders.run_in("validate - <a/b/cut.mvmheap").status == 0);
  CHECK(!folders.run_in("validate --quiet a").out.contains("configuration"));
  CHECK(run("cd / && heapcheck validate " + folders.scratch.path("a/b/cut.mvmheap")).status == 0);
  const Folders nearer("ignore = \"mvm3.file\"", "max-per-rule = 2");
  const Outcome inner = nearer.run_in("validate a/b/cut.mvmheap");
  CHECK(inner.status == 1);
  CHECK(inner.out.contains("using the configuration a/.heapcheck.toml\n"));
}

TEST_CASE("the options --no-config and --config replace the search, and the command line wins",
          "[program][config]") {
  const Folders folders("ignore = \"mvm3.file\"", "");
  CHECK(folders.run_in("validate --no-config a").status == 1);
  CHECK(folders.run_in("validate --ignore json a").status == 1);
  CHECK(folders.run_in("validate --config .heapcheck.toml --no-config a").status == 2);
  (void)folders.scratch.file("other.toml", "severity = [\"mvm3=warning\"]\n");
  const Outcome explicit_one = folders.run_in("validate --config other.toml a");
  CHECK(explicit_one.status == 0);
  CHECK(explicit_one.out.contains("0 errors, 1 warning"));
  CHECK(folders.run_in("validate --config other.toml --fail-level warning a").status == 1);
}

TEST_CASE("sections for paths replace the settings for all files", "[program][config]") {
  const Folders folders(
      "fail-level = \"note\"\n[[override]]\npaths = \"a/b/*\"\nseverity = \"mvm3=warning\"\n"
      "[[override]]\npaths = \"cut.*\"\nfail-level = \"error\"\n",
      "");
  CHECK(folders.run_in("validate a").status == 0);
  fs::rename(folders.scratch.path() / "a/b/cut.mvmheap", folders.scratch.path() / "a/b/x.mvmheap");
  CHECK(folders.run_in("validate a").status == 1);
  CHECK(folders.run_in("validate a").out.contains("0 errors, 1 warning"));
}

TEST_CASE("a reader can be set for the files that it reads", "[program][config]") {
  const std::string timeline = (root / "corpus/v8/heapsnapshot/seed/node-24-stacks.heaptimeline").string();
  const Folders folders("ignore = \"mvm3\"\n[[override]]\npaths = \"*.heaptimeline\"\nfor = \"devtools\"\n",
                        "");
  CHECK(folders.run_in("validate a").status == 0);
  static_cast<void>(folders.scratch.file("a/x.heaptimeline", read(timeline)));
  const Outcome outcome = folders.run_in("validate a");
  CHECK(outcome.status == 1);
  CHECK(outcome.out.contains("[v8snap.devtools.trace-functions]"));
}

TEST_CASE("a bad configuration exits 2 before anything is read", "[program][config]") {
  const Folders folders("ignor = 1", "");
  const Outcome outcome = folders.run_in("validate a");
  CHECK(outcome.status == 2);
  CHECK(outcome.out ==
        "heapcheck: .heapcheck.toml:1: unknown key ignor; did you mean ignore; the keys are select, ignore, "
        "severity, hide, fail-level, max-per-rule, for and override\n");
  CHECK(folders.run_in("config").status == 2);
  CHECK(folders.run_in("validate --config missing.toml a").out.contains("does not exist"));
  CHECK(folders.run_in("validate --config a a").status == 2);
}

TEST_CASE("heapcheck config prints what is in force, as a configuration file", "[program][config]") {
  const Folders folders("ignore = [\"json\", \"mvm3\"]\n[[override]]\npaths = \"cut.*\"\nmax-per-rule = 7\n",
                        "");
  const Outcome text = folders.run_in("config a/b/cut.mvmheap");
  CHECK(text.status == 0);
  CHECK(text.out.contains("# a/b/cut.mvmheap: .heapcheck.toml\n"));
  CHECK(text.out.contains("ignore = [\"json\", \"mvm3\"]  # .heapcheck.toml:1\n"));
  CHECK(text.out.contains("max-per-rule = 7  # .heapcheck.toml:4\n"));
  CHECK(text.out.contains("# fail-level: error (default)\n"));
  const auto again = cli::parse_config(text.out, "again");
  REQUIRE(again);
  CHECK(again->sections.front().settings.size() == 2);
  CHECK(!folders.run_in("config a").out.contains("max-per-rule = 7"));
  CHECK(folders.run_in("config --no-config").out.contains("# .: no configuration file\n"));
  const Outcome json = folders.run_in("config --output json a/b/cut.mvmheap");
  CHECK(json.out.contains("\"config\": \".heapcheck.toml\""));
  CHECK(json.out.contains("\"value\": 7,\n      \"line\": 4\n"));
}
