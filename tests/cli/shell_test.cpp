// Tests the output of the shell for the lines of a script, and how it reads lines.
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "cli/shell/commands.hpp"
#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

const std::string dump = (root / "corpus/mvmheap/v3/seed/two-snapshots.mvmheap").string();
const std::string leaks_of_libraries =
    "print_suppressions=0:suppressions=" + (root / "tests/support/leaks.supp").string();
const std::string v8_dump = (root / "corpus/v8/heapsnapshot/seed/node-10.heapsnapshot").string();

/// The outcome of a script, which must not contain single quotes, with standard error after standard output.
Outcome run_script(const std::string& lines, const std::string& options = "",
                   const std::string& file = dump) {
  const Scratch scratch;
  const std::string script = scratch.file("script", lines);
  const std::string errors = (scratch.path() / "errors").string();
  return run("heapcheck shell " + file + " " + options + " <" + script + " 2>" + errors +
             "; status=$?; cat " + errors + "; exit $status");
}

/// The error for a line that is parsed as a command and its words.
std::string find_error(std::string_view line) {
  const auto words = cli::parse_line(line);
  if (!words) return words.error().message;
  const auto command = cli::find_shell_command(words->front());
  if (!command) return command.error().message;
  const auto values = cli::read_words(**command, std::span(*words).subspan(1), {});
  return values ? "" : values.error().message;
}

/// Text to type in a shell on a terminal. It is typed when `awaited`, which may be empty, is on the screen.
struct Typed {
  std::string awaited;
  std::string keys;
};
std::string run_on_terminal(const std::vector<Typed>& steps) {
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    ::alarm(60);  // ends the shell if the screen never shows the awaited text
    ::setenv("TERM", "xterm", 1);
    ::setenv("LSAN_OPTIONS", leaks_of_libraries.c_str(), 1);
    ::execl(HEAPCHECK_PROGRAM, HEAPCHECK_PROGRAM, "shell", dump.c_str(), nullptr);
    ::_exit(127);
  }
  REQUIRE(child > 0);
  std::string screen;
  std::size_t step = 0;
  std::size_t seen = 0;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = ::read(terminal, buffer.data(), buffer.size())) > 0;) {
    screen.append(buffer.data(), static_cast<std::size_t>(count));
    for (std::size_t at = 0;
         step < steps.size() && (at = screen.find(steps[step].awaited, seen)) != std::string::npos; ++step) {
      seen = at + steps[step].awaited.size();
      REQUIRE(::write(terminal, steps[step].keys.data(), steps[step].keys.size()) >= 0);
    }
  }
  ::close(terminal);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  return screen;
}

std::vector<std::string> complete(std::string_view before) {
  return cli::complete(before, [] { return std::vector<std::string>{"Str", "a \"b\"", "Scalar"}; });
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("the shell fails if it cannot read its script", "[program][shell]") {
  const Outcome outcome = run("heapcheck shell " + dump + " </ 2>&1");
  CHECK(outcome.status == 4);
  CHECK(outcome.out == "heapcheck: standard input cannot be read: Is a directory\n");
}

TEST_CASE("the shell does not run a line of which the rest cannot be read", "[program][shell]") {
  const Scratch scratch;
  // A socket whose other end is closed before everything was read from there ends with an error.
  const std::string script = scratch.file("start.py",
                                          "import socket, subprocess, sys\n"
                                          "ours, theirs = socket.socketpair()\n"
                                          "theirs.send(b'unread')\n"
                                          "ours.send(b'count objects\\ncount nodes')\n"
                                          "ours.close()\n"
                                          "sys.exit(subprocess.call(sys.argv[1:], stdin=theirs))\n");
  const Outcome outcome = run("python3 " + script + " " HEAPCHECK_PROGRAM " shell " + dump + " 2>&1");
  CHECK(outcome.status == 4);
  CHECK(outcome.out == run("heapcheck count " + dump + " objects").out +
                           "heapcheck: standard input cannot be read: Connection reset by peer\n");
}

TEST_CASE("at a terminal, the shell greets, and Ctrl-C clears the line", "[program][shell]") {
  const std::string screen = run_on_terminal({{"> ", "count no"},
                                              {"count no", "\x03"},
                                              {"^C", ""},
                                              {"> ", "count nodes\r"},
                                              {"412 B", ""},
                                              {"> ", "exit\r"}});
  CHECK(screen.starts_with("This file contains 2 heap snapshots. Snapshot 1 is selected."));
  CHECK(screen.contains("    7  412 B"));
}

TEST_CASE("the shell completes commands, their words and the names of types", "[shell]") {
  CHECK(complete("ret") == Words{"retainers", "retained"});
  CHECK(complete("snap") == Words{"snapshots", "snapshot"});
  CHECK(complete("top s") == Words{"stables", "strings"});
  CHECK(complete("top objects ") == Words{"by"});
  CHECK(complete("top objects by c") == Words{"count"});
  CHECK(complete("find fr") == Words{"frames"});
  CHECK(complete("find objects ty") == Words{"type="});
  CHECK(complete("find objects type=S") == Words{"type=Scalar", "type=Str"});
  CHECK(complete("find objects type=\"a ") == Words{R"(type="a \"b\"")"});
  CHECK(complete("snapshot 1 ").empty());
  CHECK(complete("wombat ").empty());
}

TEST_CASE("the shell describes its commands, some of which have short names", "[program][shell]") {
  const std::string list = run_script("help").out;
  CHECK(list.contains("\nhelp [COMMAND], ?   List the commands, or describe one of them\n"));
  CHECK(run_script("?").out == list);
  const std::string top = run_script("help top").out;
  CHECK(top.starts_with("top WHAT"));
  CHECK(top.contains("  --limit N "));
  CHECK(!top.contains("`"));
  CHECK(!top.contains("--snapshot"));
  CHECK(run_script("? path").out.contains("  --merged "));
  CHECK(run_script("help tpo")
            .out.contains("found \"tpo\" at character 6, expected a command; did you mean top"));
  CHECK(run_script("q\ntpo").status == 0);
  CHECK(complete("help retai") == Words{"retainers", "retained"});
}

TEST_CASE("a line of the shell consists of words, which may have parts in quotes", "[shell]") {
  const auto words = cli::parse_line(R"(  find objects type="a \" b"  )");
  REQUIRE(words);
  REQUIRE(words->size() == 3);
  CHECK((*words)[1].text == "objects");
  CHECK((*words)[1].offset == 7);
  CHECK((*words)[2].text == R"(type="a \" b")");
  CHECK(cli::parse_line(" ")->empty());
  CHECK(find_error("find \"a b") ==
        "found the end of the line, expected a quote that closes the one at character 6");
}

TEST_CASE("a query may be in quotes, as on the command line", "[program][shell]") {
  const std::string query = "find objects type=\"Überraum\" by size";
  const std::string answer = run_script(query, "--output csv").out;
  CHECK(answer.contains(",Überraum,"));
  const Scratch scratch;
  for (const std::string line :
       {R"(find 'objects type="Überraum" by size')", R"(find "objects type=\"Überraum\" by size")",
        R"(find objects type = "Überraum" by size)", R"(find 'objects type=Überraum' --output 'csv')"}) {
    INFO(line);
    const std::string script = scratch.file("script", line);
    CHECK(run("heapcheck shell " + dump + " --output csv <" + script).out == answer);
  }
  CHECK(find_error("show 'row:2'").empty());
  CHECK(find_error("top 'objects' by size").empty());
  CHECK(find_error("find objects 'name=a") ==
        "found the end of the line, expected a quote that closes the one at character 14");
  CHECK(run_script("# it's \"quoted").out.empty());
}

TEST_CASE("the shell points at a word that it does not understand", "[shell]") {
  CHECK(find_error(" retianers 5") ==
        "found \"retianers\" at character 2, expected a command; did you mean retainers");
  CHECK(find_error("wombat") ==
        "found \"wombat\" at character 1, expected a command; `help` lists the commands");
  CHECK(find_error("top objcts") ==
        "found \"objcts\" at character 5, expected objects, types, stables, frames, closures, kinds, strings "
        "or "
        "allocators; did you "
        "mean objects");
  CHECK(find_error("snapshot") == "found the end of the line, expected the index of a snapshot");
  CHECK(find_error("show 1 2") == "found \"2\" at character 8, expected the end of the line");
  CHECK(find_error("top objects by count").empty());
}

TEST_CASE("a line of the shell may have the options of its answer", "[program][shell]") {
  CHECK(run_script("find nodes --limit 1\n").out.find("and 6 more") != std::string::npos);
  CHECK(run_script("find nodes --limit=1 --output csv\n")
            .out.starts_with("id,kind,name,size,retained,file,line,column\n0,"));
  CHECK(run_script("dominators --by-type\n").out.contains("Retained"));
  CHECK(run_script("# a comment\n").out.empty());
  CHECK(find_error("top --limt 3 objects") ==
        "found \"--limt\" at character 5, expected --output or --limit; did you mean --limit");
  CHECK(find_error("top objects --limit") ==
        "found the end of the line, expected a whole number from 0 to 4294967295");
  CHECK(find_error("path 5 --paths=0") ==
        "found \"0\" at character 16, expected a whole number from 1 to 1000");
  CHECK(find_error("top objects --snapshot 1") ==
        "found \"--snapshot\" at character 13, expected --output or --limit");
  CHECK(find_error("leaks --summary out.md").starts_with("found \"--summary\" at character 7, expected "));
  CHECK(find_error("help --limit 1") == "found \"--limit\" at character 6, expected no option");
}

TEST_CASE("a question of the shell has the answer of the command", "[program][shell]") {
  for (const std::string question : {"top objects by count", "find nodes \"size>1\"", "count nodes",
                                     "show row:2", "path row:2", "retainers row:2"}) {
    const auto space = question.find(' ');
    for (const std::string& file : {dump, v8_dump}) {
      const std::string command = question.substr(0, space) + " " + file + " --output csv";
      const Outcome outcome = run("heapcheck " + command + question.substr(space));
      const std::string plain = question == "find nodes \"size>1\"" ? "find nodes size>1" : question;
      INFO(question);
      CHECK(run_script(plain, "--output csv", file).out == outcome.out);
    }
  }
  CHECK(run_script("incidents 5").out == run_script("retainers 5").out);
}

TEST_CASE("the shell shows trees of calls", "[program][shell][stacks]") {
  for (const std::string file :
       {"v8/heapsnapshot/seed/chrome-120-stacks.heaptimeline", "v8/heapprofile/seed/small.heapprofile"}) {
    const std::string path = (root / "corpus" / file).string();
    for (const std::string options : {"", " --inverted --limit 5"}) {
      INFO(path << options);
      const Outcome outcome = run("heapcheck tree " + path + options + " 2>&1");
      CHECK(outcome.out.contains("Cumulative"));
      CHECK(outcome.out.contains("without a stack") == path.ends_with("timeline"));
      CHECK(run_script("tree" + options, "", path).out == outcome.out);
    }
  }
  const Outcome outcome = run_script("tree");
  CHECK(outcome.status == 2);
  CHECK(outcome.out.contains("this format has no allocations by call stack"));
}

TEST_CASE("the shell answers questions about the stacks in Chrome's dumps", "[program][shell][stacks]") {
  for (const std::string file : {"legacy/seed/chrome-64-small.json", "heaps_v2/seed/chrome-120-small.json",
                                 "heaps_v2/seed/chrome-120-processes.json"}) {
    const std::string path = (root / "corpus/chrome" / file).string();
    INFO(path);
    CHECK(run_script("tree", "", path).out == run("heapcheck tree " + path).out);
    for (const std::string question : {"tree", "top", "summary"}) {
      const std::string words = question == "top" ? " frames by cumulative" : "";
      const std::string command = "heapcheck " + question + " " + path + words + " --output csv --snapshot ";
      CHECK(run_script("snapshot 0\n" + question + words, "--output csv", path).out ==
            run(command + "0").out);
      CHECK(run_script(question + words, "--snapshot 0 --output csv", path).out == run(command + "0").out);
    }
  }
  const std::string two = (root / "corpus/chrome/legacy/seed/chrome-64-small.json").string();
  CHECK(run_script("snapshot 0\nsnapshot 1\ntree", "", two).out ==
        run("heapcheck tree --snapshot 1 " + two).out);
  CHECK(run_script("snapshot 0\ntree", "", two).out != run_script("tree", "", two).out);
  CHECK(run_script("top frames --limit 1\nmore --limit 1", "", two).status == 2);
  CHECK(run_script("top frames\nmore", "--limit 1", two).status == 0);
  const Outcome refused = run_script("retained", "", two);
  CHECK(refused.status == 2);
  CHECK(refused.out.contains("summary, top, tree, diff and growth answer questions about its stacks"));
}

TEST_CASE("questions of the shell are about the selected snapshot", "[program][shell]") {
  const Outcome outcome = run_script("count nodes\nsnapshot 0\ncount nodes\nsnapshots", "--output ndjson");
  CHECK(outcome.out ==
        "{\"count\":7,\"size\":412}\n{\"count\":6,\"size\":300}\n"
        "{\"index\":0,\"nodes\":6,\"edges\":7,\"size\":300}\n"
        "{\"index\":1,\"nodes\":7,\"edges\":6,\"size\":412}\n");
  CHECK(run_script("summary", "--snapshot 0").out.contains("STable"));
  CHECK(run_script("snapshot 2").out.contains("no snapshot 2: found 2 snapshots"));
  CHECK(run_script("", "--snapshot 2").status == 2);
}

TEST_CASE("the shell lists the dumps of a trace with their processes", "[program][shell]") {
  const std::string processes = (root / "corpus/chrome/heaps_v2/seed/chrome-120-processes.json").string();
  const std::string list = run_script("snapshots", "--output csv", processes).out;
  CHECK(list.starts_with("index,process,dump,size\n0,Browser 32706,0x5,"));
  CHECK(list.contains("\n5,Renderer 32763,0x7,"));
}

TEST_CASE("the shell compares snapshots of the file", "[program][shell]") {
  CHECK(run_script("diff 1 0", "--output json").out ==
        run("heapcheck diff --snapshots 1,0 --output json " + dump + " 2>&1").out);
  CHECK(run_script("growth --by count --of kinds", "--output csv").out ==
        run("heapcheck growth --by count --of kinds --output csv " + dump).out);
  CHECK(run_script("growth", "--output json").out == run("heapcheck growth --output json " + dump).out);
  const std::string all = run_script("growth").out;
  CHECK(run_script("growth --limit 1\nmore --limit 100").status == 2);
  const std::string pages = run_script("growth --limit 1\nmore").out;
  CHECK(pages.contains("`more` shows the next rows"));
  CHECK(all.contains("From " + dump + ", snapshot 0 to " + dump + ", snapshot 1:"));
  CHECK(run_script("diff 0").out == run_script("diff 0 1").out);
  for (const std::string last : {"1", "01"})
    CHECK(run_script("diff " + last).out.contains("found the last snapshot, expected an earlier one"));
  CHECK(run_script("diff 00", "", v8_dump).out.contains("found the last snapshot, expected an earlier one"));
  for (const std::string words : {"x", "0 1 0 1", "0 x"})
    CHECK(run_script("diff " + words).out.contains("expected the indices of up to three snapshots"));
  CHECK(run_script("diff 0 7").out.contains("no snapshot 7"));
}

TEST_CASE("the shell compares snapshots after the damage in a file", "[program][shell]") {
  const std::string damaged = (root / "corpus/mvmheap/v2/case/section-order-missing.mvmheap").string();
  const Outcome growth = run_script("growth", "--force --output csv", damaged);
  CHECK(growth.status == 0);
  CHECK(growth.out.contains("\nFoo,gone,2,0,"));
}

TEST_CASE("the shell shows the next rows of the last answer", "[program][shell]") {
  const std::string pages = run_script("find nodes\nmore\nmore\n", "--limit 3 --output ndjson").out;
  CHECK(pages == run_script("find nodes", "--output ndjson").out);
  CHECK(run_script("find nodes", "--limit 3").out.contains("and 4 more; `more` shows the next rows\n"));
  const Outcome end = run_script("find nodes\nmore");
  CHECK(end.status == 2);
  CHECK(end.out.contains("line 2: found no more rows"));
  CHECK(run_script("find nodes\nsnapshot 0\nmore", "--limit 3").status == 2);
}

TEST_CASE("the next rows have the form and the limit of the first ones", "[program][shell]") {
  const std::string first = run_script("find nodes --limit 2 --output ndjson").out;
  const std::string pages = run_script("find nodes --limit 2 --output ndjson\nmore").out;
  CHECK(pages.starts_with(first));
  CHECK(pages == run_script("find nodes --limit 4 --output ndjson").out);
  CHECK(run_script("find nodes --limit 2\nmore", "--limit 1")
            .out.ends_with("and 3 more; `more` shows the next rows\n"));
}

TEST_CASE("the shell says how to see the rows that `more` cannot show", "[program][shell]") {
  const std::string processes = (root / "corpus/chrome/heaps_v2/seed/chrome-120-processes.json").string();
  const Outcome growth = run_script("growth --limit 2\nmore", "", processes);
  CHECK(growth.status == 2);
  CHECK(growth.out.contains("more; --limit N shows N rows\n"));
  const std::string advice = "line 2: found no later rows of this answer; if rows are left out, the same ";
  CHECK(growth.out.contains(advice + "command with --limit N shows N rows\n"));
  CHECK(run_script("dominators\nmore", "--limit 2").out.contains(advice));
  CHECK(run_script("path 5\nmore").out.contains("line 2: found no more rows"));
}

TEST_CASE("the shell suggests the nearest word for those of a question", "[program][shell]") {
  CHECK(run_script("top objects by siz").out.ends_with("or by retained; did you mean by size\n"));
  CHECK(run_script("find object").out.ends_with("nodes or detached; did you mean objects\n"));
  CHECK(run_script("growth --by siz").out.ends_with("or cumulative; did you mean size\n"));
}

TEST_CASE("an error in a script does not stop the lines after it", "[program][shell]") {
  const Outcome outcome = run_script("tpo kinds\n\ncount nodes");
  CHECK(outcome.status == 2);
  CHECK(outcome.out.starts_with("Count   Size\n    7  412 B\n"));
  CHECK(outcome.out.contains("heapcheck: line 1: found \"tpo\" at character 1, expected a command"));
  CHECK(run_script("quit\ntpo").status == 0);
  CHECK(run_script("").out.empty());
}

TEST_CASE("the shell does not begin with a damaged dump, unless it is forced to", "[program][shell]") {
  const std::string cut = (root / "corpus/mvmheap/v3/seed/cut.mvmheap").string();
  const Outcome refused = run_script("top kinds", "", cut);
  CHECK(refused.status == 4);
  CHECK(refused.out.contains("`heapcheck recover` keeps the intact parts"));
  const Outcome forced = run_script("top kinds", "--force", cut);
  CHECK(forced.status == 0);
  CHECK(forced.out.contains("STable"));
}

TEST_CASE("the shell and the server say so if no thread can be started", "[program][shell]") {
  if (is_sanitized) return;  // sanitizers start threads of their own
  // The stack of a thread would take up more addresses than there are.
  const std::string message =
      "heapcheck: cannot start a thread: the limit on threads (`ulimit -u`) or on memory is reached\n";
  for (const std::string& command : {"shell " + dump, std::string("mcp")}) {
    const Outcome outcome = run("ulimit -s 200000000000 && echo help | heapcheck " + command + " 2>&1");
    CHECK(outcome.status == 5);
    CHECK(outcome.out == message);
  }
}

TEST_CASE("the shell needs a file, because standard input has the questions", "[program][shell]") {
  CHECK(run_script("count nodes", "", "-").status == 2);
  CHECK(run("echo count nodes | heapcheck shell " + dump).out == run_script("count nodes").out);
  const std::string help = run("heapcheck shell --help").out;
  CHECK(help.contains("The dump to read; the questions come from standard input"));
  CHECK(!help.contains("- is standard input"));
}
