// Tests the options of `heapcheck validate` that concern reports and exit statuses, with the program itself.
#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

const std::string sound = (root / "corpus/mvmheap/v3/seed/minimal.mvmheap").string();
const std::string missing = "/proc/nonexistent/a.mvmheap";

Outcome check_with(const std::string& arguments) { return run("heapcheck validate " + arguments); }

}  // namespace

TEST_CASE("the text ends with the number of files of each verdict if there are several", "[program]") {
  const Scratch scratch;
  const std::string copy = scratch.file("copy.mvmheap", read(cut_dump));
  CHECK(check_with(sound + " " + cut_dump + " " + copy + " " + missing)
            .out.contains("\n4 files: 1 valid, 2 not well-formed, 1 unreadable\n"));
  CHECK(!check_with(cut_dump).out.contains("files:"));
}

TEST_CASE("with --quiet, each file that fails is one line", "[program]") {
  CHECK(check_with("--quiet " + sound).out.empty());
  const std::string failed = cut_dump + ": mvmheap-v3, not well-formed: 1 error, 0 warnings, 0 notes\n";
  CHECK(check_with("--quiet " + cut_dump + " " + sound).out == failed);
  CHECK(check_with("--quiet " + missing).out ==
        missing + ": error: cannot be opened: No such file or directory [input.unreadable]\n");
  const Scratch scratch;
  (void)scratch.file("a.txt", "no dump");
  (void)scratch.file("b.mvmheap", read(cut_dump));
  CHECK(std::ranges::count(run("heapcheck validate --quiet " + scratch.path().string() + " 2>&1").out,
                           '\n') == 1);
}

TEST_CASE("the report has colours on a terminal, unless NO_COLOR is set", "[program]") {
  const auto has_colors = [](const std::string& environment, const std::string& options = "") {
    const std::string command =
        "env " + environment + " " HEAPCHECK_PROGRAM " validate --no-progress " + options + " " + cut_dump;
    return run_shell("script -qec '" + command + "' /dev/null </dev/null").out.contains("\x1b[1;31merror");
  };
  CHECK(has_colors("-u NO_COLOR"));
  CHECK(has_colors("NO_COLOR="));
  CHECK(!has_colors("NO_COLOR=1"));
  CHECK(has_colors("NO_COLOR=1", "--color always"));
  CHECK(!has_colors("-u NO_COLOR", "--color never"));
  CHECK(!check_with(cut_dump).out.contains('\x1b'));
}

TEST_CASE("findings that are only counted decide the verdict and the exit status", "[program]") {
  const Outcome counted = check_with("--max-per-rule 0 " + cut_dump);
  CHECK(counted.status == 1);
  CHECK(counted.out.starts_with(cut_dump + ": error: 1 more of the same kind [mvm3.file.truncated]\n"));
  CHECK(counted.out.ends_with(": mvmheap-v3, not well-formed: 1 error, 0 warnings, 0 notes\n"));
  const std::string bad_entry = (root / "corpus/mvmheap/v3/case/toc-entry-end.mvmheap").string();
  CHECK(check_with("--max-per-rule 0 " + bad_entry)
            .out.ends_with(", not valid: 1 error, 0 warnings, 0 notes\n"));
}

TEST_CASE("with --output ndjson, each file is one line of JSON", "[program]") {
  const std::string out = check_with("--output ndjson " + sound + " " + cut_dump + " " + missing).out;
  CHECK(std::ranges::count(out, '\n') == 3);
  CHECK(out.starts_with("{\"path\":\""));
  CHECK(out.contains(
      "\"verdict\":\"unreadable\",\"id\":\"input.unreadable\",\"error\":\"cannot be opened: No such "
      "file or directory\"}\n"));
}

TEST_CASE("the option exit-zero is about findings, and error-on-undecided about limits", "[program]") {
  CHECK(check_with("--exit-zero " + cut_dump).status == 0);
  CHECK(check_with("--exit-zero " + missing).status == 4);
  CHECK(check_with("--exit-zero --fail-level fatal " + cut_dump).status == 2);
  const std::string undecided = "--max-memory 1 " + sound_dump;
  CHECK(check_with(undecided).status == 5);
  CHECK(check_with("--error-on-undecided " + undecided).status == 1);
  CHECK(check_with("--error-on-undecided --exit-zero " + undecided).status == 0);
}

TEST_CASE("findings in one file decide the status before an undecided one and an unreadable one",
          "[program]") {
  const Scratch scratch;
  const std::string limited = scratch.file("limited.mvmheap", read(sound_dump));
  CHECK(check_with(missing + " " + cut_dump).status == 1);
  CHECK(check_with("--max-memory 1 " + missing + " " + limited).status == 5);
  CHECK(check_with(missing + " " + sound).status == 4);
}

TEST_CASE("the report is the same for any number of jobs, and in the order of the paths", "[program]") {
  const Scratch scratch;
  for (int i = 0; i < 300; ++i)
    (void)scratch.file(std::to_string(1000 + i) + ".mvmheap", i % 3 == 0 ? read(cut_dump) : read(sound));
  for (const std::string form : {"text", "json", "ndjson"}) {
    CAPTURE(form);
    const std::string arguments = "--output " + form + " " + scratch.path().string() + " --jobs ";
    const std::string out = check_with(arguments + "1").out;
    CHECK(out == check_with(arguments + "4").out);
    CHECK(out.find("1007.mvmheap") < out.find("1299.mvmheap"));
  }
}

TEST_CASE("a report that cannot be written leaves no file, and a closed pipe is no error", "[program]") {
  const Scratch scratch;
  const std::string report = scratch.path("folder/report");
  CHECK(check_with("--output-file " + report + " " + sound + " 2>&1").status == 2);
  CHECK(check_with(sound + " >/dev/full 2>&1").status == 2);
  const std::string dump = scratch.file("a.mvmheap", read(cut_dump));
  CHECK(run_shell("ulimit -f 0; exec " HEAPCHECK_PROGRAM " validate --output-file " + scratch.path("report") +
                  " " + dump + " 2>&1")
            .status == 2);
  CHECK(!fs::exists(scratch.path("report")));
  // The exit status is correct even though the reader of the pipe has ended.
  const std::string status = scratch.path("status");
  for (const std::string form : {"text", "json", "sarif"}) {
    CAPTURE(form);
    (void)run("{ sleep 0.2; heapcheck validate --output " + form + " " + sound + " " + dump +
              " 2>&1; echo $? >" + status + "; } | true");
    CHECK(read(status) == "1\n");
  }
}

TEST_CASE("a list of files is checked, with line feeds or NULs between them", "[program]") {
  const Scratch scratch;
  const std::string lines = scratch.file("lines", sound + "\n\n" + cut_dump);
  CHECK(check_with("--files-from " + lines).out.contains("2 files: 1 valid, 1 not well-formed"));
  const std::string odd = scratch.file("a\nb.mvmheap", read(sound));
  const std::string nuls = scratch.file("nuls", sound + '\0' + odd + '\0');
  CHECK(check_with("--files-from - " + cut_dump + " <" + nuls)
            .out.contains("3 files: 2 valid, 1 not well-formed"));
  CHECK(check_with("--files-from " + scratch.file("none", "")).status == 0);
  CHECK(check_with("2>&1").out == "heapcheck: PATH is missing; see `heapcheck validate --help`\n");
  CHECK(check_with("2>&1").status == 2);
  CHECK(check_with("--files-from /proc/nonexistent 2>&1")
            .out.contains("the list /proc/nonexistent cannot be opened: "));
  CHECK(check_with("--files-from / 2>&1").out ==
        "heapcheck: --files-from: the list / cannot be read: Is a directory\n");
  CHECK(check_with("--files-from - </ 2>&1").status == 2);
  CHECK(check_with("--files-from - - </dev/null 2>&1").out.contains("found - more than once"));
  CHECK(check_with("--files-from - </dev/null").status == 0);
  CHECK(check_with("--files-from /dev/null 2>&1 >/dev/null").out ==
        "heapcheck: there are no files to check\n");
  CHECK(check_with("--files-from /dev/null --quiet 2>&1 >/dev/null").out.empty());
}

TEST_CASE("excluded files are left out", "[program]") {
  const Scratch scratch;
  fs::create_directory(scratch.path("old"));
  for (const std::string name : {"a.mvmheap", "b.tmp", "old/c.mvmheap"})
    (void)scratch.file(name, read(sound));
  const std::string folder = scratch.path().string();
  const auto count = [&](const std::string& options) {
    return std::ranges::count(check_with(options + " " + folder).out, '\n');
  };
  CHECK(count("") == 4);
  CHECK(count("--exclude '*.tmp'") == 3);
  CHECK(count("--exclude '*.tmp' --exclude '*/old/*'") == 1);
  CHECK(check_with("--exclude '*' " + folder + " 2>&1").out.contains("there are no files to check"));
  CHECK(
      check_with("--for all --exclude '*' " + folder + " 2>&1").out.contains("there are no files to check"));
}

TEST_CASE("a file that is given more than once is checked once", "[program]") {
  const Scratch scratch;
  const std::string folder = scratch.path().string();
  for (const std::string name : {"a.mvmheap", "b.mvmheap", "c.txt", "-"})
    (void)scratch.file(name, name == "c.txt" ? "no dump" : read(cut_dump));
  const std::string start = "cd " + folder + " && heapcheck validate --output ndjson ";
  const auto paths_of = [&](const std::string& arguments) {
    std::istringstream lines(run(start + arguments + " 2>/dev/null").out);
    std::string paths;
    for (std::string line; std::getline(lines, line);) paths += line.substr(9, line.find('"', 9) - 9) + " ";
    return paths;
  };
  CHECK(paths_of("b.mvmheap a.mvmheap ./b.mvmheap .//a.mvmheap") == "b.mvmheap a.mvmheap ");
  CHECK(paths_of("b.mvmheap . " + folder + "/a.mvmheap") == "b.mvmheap ./- ./a.mvmheap ");
  CHECK(paths_of("- ./- <a.mvmheap") == "- ./- ");
  fs::create_directory(scratch.path("d"));
  (void)scratch.file("d/e.mvmheap", read(cut_dump));
  fs::create_directory_symlink("d", scratch.path("link"));
  fs::create_symlink("e.mvmheap", scratch.path("d/other.mvmheap"));
  CHECK(paths_of("d/../d/e.mvmheap d/e.mvmheap d link/e.mvmheap link/../a.mvmheap a.mvmheap") ==
        "d/../d/e.mvmheap d/other.mvmheap link/../a.mvmheap ");
  CHECK(paths_of("none/x none//x none/../a.mvmheap d/e.mvmheap/") ==
        "none/x none/../a.mvmheap d/e.mvmheap/ ");
  // A file of unknown format in a folder is skipped, unless it is also named.
  fs::remove_all(scratch.path("d"));
  CHECK(paths_of(". c.txt") == "./- ./a.mvmheap ./b.mvmheap ./c.txt ");
  const std::string twice = "cd " + folder + " && heapcheck validate --output gitlab a.mvmheap ";
  CHECK(run(twice + "./a.mvmheap").out == run(twice).out);
}

TEST_CASE("each file is in one shard, whatever its name", "[program]") {
  const Scratch scratch;
  std::string all;
  for (int i = 0; i < 40; ++i) {
    const std::string name = std::to_string(i) + ".mvmheap";
    all += scratch.file(name, read(sound) + std::string(static_cast<std::size_t>(i), 'x')) + "\n";
  }
  const Scratch empty;
  const std::string arguments = "--output ndjson " + scratch.path().string() + " " + missing + " " +
                                empty.path().string() + " --shard ";
  std::string parts;
  for (int i = 1; i <= 4; ++i) {
    const std::string part = check_with(arguments + std::to_string(i) + "/4").out;
    CHECK(std::ranges::count(part, '\n') < 41);
    parts += part;
  }
  const auto sort_lines = [](const std::string& text) {
    std::multiset<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.insert(line);
    return lines;
  };
  CHECK(sort_lines(parts) == sort_lines(check_with(arguments + "1/1").out));
  const std::string copy = scratch.file("copy.mvmheap", read(scratch.path("7.mvmheap")));
  for (int i = 1; i <= 4; ++i) {
    const std::string shard = " --shard " + std::to_string(i) + "/4";
    CHECK(check_with(copy + shard).out.empty() == check_with(scratch.path("7.mvmheap") + shard).out.empty());
  }
  for (const std::string wrong : {"0/4", "5/4", "1", "1/", "a/b", "1/4x"})
    CHECK(check_with("--shard " + wrong + " " + copy + " 2>&1").out.contains("expected I/N, such as 2/8"));
  CHECK(check_with("--shard 1/2 - </dev/null 2>&1").status == 2);
}

TEST_CASE("copies of a file are in the same part", "[program]") {
  const Scratch scratch;
  for (int i = 0; i < 12; ++i) (void)scratch.file(std::to_string(i) + ".mvmheap", read(sound));
  std::multiset<std::ptrdiff_t> counts;
  for (const std::string part : {"1/3", "2/3", "3/3"}) {
    const Outcome outcome = check_with("--output ndjson --shard " + part + " " + scratch.path().string());
    counts.insert(std::ranges::count(outcome.out, '\n'));
  }
  CHECK(counts == std::multiset<std::ptrdiff_t>{0, 0, 12});
}

TEST_CASE("the part of a long file depends on its end, too", "[program]") {
  const Scratch scratch;
  for (char end = 'a'; end < 'm'; ++end)
    (void)scratch.file(std::string(1, end) + ".mvmheap", std::string(100'000, 'x') + end);
  for (const std::string part : {"1/2", "2/2"}) {
    const Outcome outcome = check_with("--output ndjson --shard " + part + " " + scratch.path().string());
    CHECK(std::ranges::count(outcome.out, '\n') < 12);
  }
}

TEST_CASE("a part without dumps has an empty report", "[program]") {
  const Scratch scratch;
  (void)scratch.file("note.txt", "no dump");
  const std::string arguments = "--output ndjson " + scratch.path().string();
  CHECK(check_with(arguments).status == 4);
  const Outcome part = check_with(arguments + " --shard 1/1");
  CHECK(part.status == 0);
  CHECK(part.out.empty());
}

TEST_CASE("known findings are not reported, and those that are gone are named", "[program]") {
  const Scratch scratch;
  const std::string dump = scratch.file("a.mvmheap", read(cut_dump));
  const std::string baseline = scratch.path("baseline");
  CHECK(check_with("--write-baseline " + baseline + " " + dump).status == 1);
  CHECK(read(baseline).contains(dump + "\tmvm3.file.truncated /snapshots/*/topscore file ends inside"));
  const Outcome known = check_with("--baseline " + baseline + " " + dump);
  CHECK(known.status == 0);
  CHECK(!known.out.contains("mvm3.file.truncated"));
  CHECK(known.out.contains("1 ignored"));
  const std::string two = read(root / "corpus/mvmheap/v3/seed/two-snapshots.mvmheap");
  (void)scratch.file("a.mvmheap", read(sound));
  const Outcome gone = check_with("--baseline " + baseline + " " + dump + " 2>&1");
  CHECK(gone.status == 0);
  CHECK(gone.out.contains("heapcheck: " + dump + ": no longer found: mvm3.file.truncated"));
  (void)scratch.file("a.mvmheap", two.substr(0, two.size() / 2) + "damage");
  CHECK(check_with("--baseline " + baseline + " " + dump).status == 1);
  CHECK(check_with("--baseline " + dump + " " + dump + " 2>&1")
            .out.contains("line 1 does not belong to a baseline"));
  CHECK(check_with("--baseline /proc/nonexistent " + dump + " 2>&1").status == 2);
  const std::string empty = scratch.file("empty", "");
  CHECK(
      check_with("--baseline " + empty + " " + dump + " 2>&1").out.contains("is empty, expected a baseline"));
  CHECK(check_with("--baseline / " + dump + " 2>&1").out ==
        "heapcheck: --baseline: /: cannot be read: Is a directory\n");
  CHECK(check_with("--baseline a --write-baseline b " + dump + " 2>&1").status == 2);
}

TEST_CASE("a baseline also holds files that cannot be read or checked completely", "[program]") {
  const Scratch scratch;
  const std::string baseline = scratch.path("baseline");
  const std::string unknown = scratch.file("a.mvmheap", "no dump");
  const std::string deep = scratch.file("b.json", std::string(300'000, '[') + "1");
  const std::string absent = scratch.path("c.mvmheap");
  const std::string all = unknown + " " + deep + " " + absent;
  CHECK(check_with("--write-baseline " + baseline + " " + all + " 2>&1").status != 0);
  const std::string text = read(baseline);
  CHECK(text.contains(unknown + "\tinput.unknown-format "));
  CHECK(text.contains(absent + "\tinput.unreadable "));
  const Outcome known = check_with("--baseline " + baseline + " " + all + " 2>&1");
  CHECK(known.status == 0);
  CHECK(!known.out.contains("a.mvmheap"));
  CHECK(known.out.contains("heapcheck: left out "));
  CHECK(check_with("--baseline " + baseline + " --quiet " + unknown + " 2>&1").out.empty());
  // Another reason is a new finding.
  (void)scratch.file("c.mvmheap", "no dump");
  CHECK(check_with("--baseline " + baseline + " " + absent).status == 4);
  (void)scratch.file("c.mvmheap", read(sound));
  const Outcome gone = check_with("--baseline " + baseline + " " + absent + " 2>&1");
  CHECK(gone.status == 0);
  CHECK(gone.out.contains("no longer found: input.unreadable"));
}

TEST_CASE("a limit in a baseline may be reached again, and is gone if it is not reached", "[program]") {
  const Scratch scratch;
  const std::string baseline = scratch.path("baseline");
  const std::string check = "--max-memory 1 ";
  const Outcome limited = check_with(check + "--write-baseline " + baseline + " " + sound_dump);
  REQUIRE(limited.status == 5);
  CHECK(check_with(check + "--baseline " + baseline + " " + sound_dump).status == 0);
  CHECK(check_with("--baseline " + baseline + " " + sound_dump + " 2>&1")
            .out.contains("no longer found: limit"));
}

TEST_CASE("with a baseline, findings are limited after known ones were removed", "[program]") {
  const std::string many = (root / "corpus/chrome/heaps_v2/grown/be27ad81f42d.json").string();
  const Scratch scratch;
  const std::string baseline = scratch.path("baseline");
  const std::string plain = check_with("--max-per-rule 1 " + many).out;
  CHECK(plain.contains(" more of the same kind"));
  CHECK(check_with("--max-per-rule 1 --write-baseline " + baseline + " " + many).out == plain);
  CHECK(check_with("--baseline " + baseline + " --fail-level note " + many).status == 0);
}

TEST_CASE("tables of contents are not checked if blocks are not where they were written", "[program]") {
  const std::string dropped = (root / "corpus/mvmheap/v3/crash/part-dropped-with-blocks.mvmheap").string();
  CHECK(run("heapcheck validate " + dropped)
            .out.contains(
                "not checked: /tocs, blocks are not where they were written, so their offsets are wrong"));
}

TEST_CASE("explain says that Chrome's events of 2013 are not supported", "[program]") {
  CHECK(run("heapcheck explain trace.dumps.none").out.contains("`memory::Heap`"));
}

TEST_CASE("colours depend on the terminal and on what the environment asks for", "[program]") {
  const std::string terminal = "python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' " HEAPCHECK_PROGRAM " ";
  const auto has_colors = [](const std::string& command) {
    return run("unset NO_COLOR FORCE_COLOR; " + command + "validate " + cut_dump).out.contains('\x1b');
  };
  CHECK(!has_colors("heapcheck "));
  CHECK(has_colors("FORCE_COLOR=1 heapcheck "));
  CHECK(!has_colors("FORCE_COLOR= heapcheck "));
  CHECK(!has_colors("NO_COLOR=1 FORCE_COLOR=1 heapcheck "));
  CHECK(!has_colors("FORCE_COLOR=1 heapcheck --color never "));
  CHECK(has_colors("TERM=xterm " + terminal));
  CHECK(!has_colors("TERM=dumb " + terminal));
}
