// Tests the program as its users see it: its output, its exit statuses, and the files that it leaves on disk.
#include <fmt/format.h>

#include <regex>
#include <set>
#include <string>

#include "cli/about/pages.hpp"
#include "cli/command_table.hpp"
#include "cli/spec_pages.hpp"
#include "formats/core/json/reader.hpp"
#include "heapcheck/validate.hpp"
#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

bool is_json(const std::string& text) {
  core::MemorySource source(core::as_bytes(text));
  core::Window window(source);
  core::JsonReader reader(window, Limits{});
  core::JsonToken token = reader.skip_value();
  if (token != core::JsonToken::error) token = reader.next();
  return token == core::JsonToken::end;
}

}  // namespace

TEST_CASE("a sound dump exits 0, whether it is read from a file or a pipe", "[program]") {
  const Outcome file = run("heapcheck validate " + sound_dump);
  CHECK(file.status == 0);
  CHECK(file.out.find("valid: 0 errors, 0 warnings, 1 note\n") != std::string::npos);
  const Outcome pipe = run("cat " + sound_dump + " | heapcheck validate -");
  CHECK(pipe.status == 0);
  CHECK(run("gzip -c " + sound_dump + " | heapcheck validate -").status == 0);
}

TEST_CASE("a note makes the exit status 1 only with --fail-level note", "[program]") {
  CHECK(run("heapcheck validate --fail-level warning " + sound_dump).status == 0);
  CHECK(run("heapcheck validate --fail-level note " + sound_dump).status == 1);
}

TEST_CASE("a truncated dump exits 1 with one finding, which states the number of complete snapshots",
          "[program]") {
  const Scratch scratch;
  const std::string cut = scratch.file("cut.mvmheap", read(sound_dump).substr(0, 100000));
  const Outcome outcome = run("heapcheck validate " + cut);
  CHECK(outcome.status == 1);
  CHECK(outcome.out.find("[mvm3.file.truncated]") != std::string::npos);
  CHECK(outcome.out.find("0 snapshots are complete") != std::string::npos);
  CHECK(outcome.out.find("not well-formed: 1 error, 0 warnings, 0 notes\n") != std::string::npos);
}

TEST_CASE("a file that is not a dump gets one sentence and exit status 4", "[program]") {
  const Scratch scratch;
  const std::string empty = scratch.file("empty", "");
  const std::string text = scratch.file("text", "hello\n");
  const std::string image = scratch.file("image", "\x89PNG\r\n\x1a\n");
  const std::string later = scratch.file("later", "MoarHeapDumpv004");
  for (const auto& [path, words] :
       {std::pair{empty, "is empty"}, std::pair{text, "looks like text"}, std::pair{image, "a PNG image"},
        std::pair{later, "version 4"}, std::pair{scratch.path().string() + "/missing", "cannot be opened"}}) {
    const Outcome outcome = run("heapcheck validate " + path + " 2>&1");
    INFO(outcome.out);
    CHECK(outcome.status == 4);
    CHECK(outcome.out.find(words) != std::string::npos);
    CHECK(std::count(outcome.out.begin(), outcome.out.end(), '\n') == 1);
    CHECK(run("heapcheck info " + path + " 2>&1").status == 4);
  }
  CHECK(run("heapcheck info " + scratch.path().string() + " 2>&1").status == 4);
}

TEST_CASE("a folder is searched, and files in it that are not dumps are skipped", "[program]") {
  const Scratch scratch;
  CHECK(run("heapcheck validate " + scratch.path().string() + " 2>&1").status == 4);
  static_cast<void>(scratch.file("a.mvmheap", read(sound_dump)));
  static_cast<void>(scratch.file("b.txt", "hello\n"));
  const Outcome outcome = run("heapcheck validate " + scratch.path().string() + " 2>&1");
  CHECK(outcome.status == 0);
  CHECK(outcome.out.find("skipped 1 file of unknown format") != std::string::npos);
}

TEST_CASE("a file with the extension of a dump is reported, not skipped, if it is not a dump", "[program]") {
  for (const char* name : {"a.mvmheap", "a.heapsnapshot.gz", "a.heaptimeline", "a.heapprofile.zst"}) {
    const Scratch scratch;
    const std::string path = scratch.file(name, "hello\n");
    const Outcome outcome = run("heapcheck validate " + scratch.path().string() + " 2>&1");
    CHECK(outcome.status == 4);
    CHECK(outcome.out.find(path + ": ") != std::string::npos);
  }
}

TEST_CASE("JSON is of unknown format even if this becomes clear only after its first bytes", "[program]") {
  const Scratch scratch;
  const std::string long_text = '"' + std::string(5000, 'x') + '"';
  const std::string object = scratch.file("package.json", "{\"name\":" + long_text + "}");
  const std::string array = scratch.file("list.json", "[{\"args\":" + long_text + "},{\"pid\":1}]");
  const std::string broken = scratch.file("broken.json", "{\"name\":" + long_text + ",}");
  const std::string lines = scratch.file("lines.json", "{\"name\":" + long_text + "}\n{}\n");
  const std::string out = " -o " + scratch.path().string() + "/out 2>&1";
  for (const std::string& path : {object, array, broken, lines}) {
    for (const std::string& command :
         {"validate " + path + " 2>&1", "validate --for devtools " + path + " 2>&1", "info " + path + " 2>&1",
          "recover " + path + out, "convert --to heaps-v2 " + path + out}) {
      const Outcome outcome = run("heapcheck " + command);
      INFO(command << "\n" << outcome.out);
      CHECK(outcome.status == 4);
      CHECK(outcome.out.find("is JSON, but not in a known format") != std::string::npos);
    }
  }
  const Outcome folder = run("heapcheck validate " + scratch.path().string() + " " + sound_dump + " 2>&1");
  CHECK(folder.status == 0);
  CHECK(folder.out.find("skipped 4 files of unknown format") != std::string::npos);
}

TEST_CASE("a trace is recognised even if this becomes clear only after its first bytes", "[program]") {
  const Scratch scratch;
  const std::string long_text = '"' + std::string(5000, 'x') + '"';
  for (const auto& [text, status] :
       {std::pair{"{\"metadata\":{\"a\":" + long_text + "},\"traceEvents\":[]}", 0},
        std::pair{"[{\"args\":" + long_text + ",\"ph\":\"X\"},{}]", 0},
        std::pair{"[{\"args\":" + long_text + "},{},{\"ph\":\"X\"}]" + std::string(100, ' '), 0},
        std::pair{"{\"name\":" + long_text + ",\"traceEvents\":5}", 1},
        std::pair{"[{\"args\":{\"dumps\":{\"heaps\":{\"a\":" + long_text, 1},
        std::pair{std::string("{\"traceEvents\":5}"), 1}}) {
    const std::string path = scratch.file("trace.json", text);
    const Outcome outcome = run("heapcheck validate " + path);
    INFO(text << "\n" << outcome.out);
    CHECK(outcome.status == status);
    CHECK(outcome.out.find("chrome-trace") != std::string::npos);
    CHECK(run("heapcheck info " + path + " 2>&1").status == status);
    const Outcome reader = run("heapcheck validate --for devtools " + path + " 2>&1");
    CHECK(reader.out.find("is in format chrome-trace, which devtools does not read") != std::string::npos);
  }
}

TEST_CASE("an archive with two heap dumps cannot be read, whatever is asked", "[program]") {
  const Scratch scratch;
  // Two stored files that contain `[]`.
  const auto make_file = [](const std::string& name) {
    return std::string("PK\3\4\x0a\0\0\0\0\0\0\0\0\0\x29\xbb\x4c\x0d\2\0\0\0\2\0\0\0", 26) +
           static_cast<char>(name.size()) + std::string(3, '\0') + name + "[]";
  };
  const std::string long_name(90, 'b');  // which is shown in full
  std::string bytes = make_file("a") + make_file(long_name);
  for (int i = 0; i < 2; ++i) bytes += std::string("PK\1\2", 4) + std::string(42, '\0');
  bytes += std::string("PK\5\6\0\0\0\0\2\0\2\0", 12) + std::string(10, '\0');
  const std::string path = scratch.file("two.zip", bytes);
  for (const std::string& command :
       {"validate " + path, "info " + path, "recover " + path + " -o " + path + ".json",
        "convert --to heaps-v2 " + path + " -o " + path + ".json"}) {
    const Outcome outcome = run("heapcheck " + command + " 2>&1");
    INFO(command << "\n" << outcome.out);
    CHECK(outcome.status == 4);
    CHECK(outcome.out.contains("is a zip archive with 2 files that may be heap dumps, a,"));
    CHECK(outcome.out.contains(" " + long_name + ": extract one of them"));
  }
}

TEST_CASE("an unknown reader is wrong usage, and the known ones are listed", "[program]") {
  const Outcome outcome = run("heapcheck validate --for nobody " + sound_dump + " 2>&1");
  CHECK(outcome.status == 2);
  CHECK(outcome.out.find(
            "expected devtools, memlab, moar-ha, moarperf, comma, speedscope, catapult, perfetto or all") !=
        std::string::npos);
}

TEST_CASE("a dump in a format that the reader does not support cannot be checked for it", "[program]") {
  const Outcome outcome = run("heapcheck validate --for devtools " + sound_dump + " 2>&1");
  CHECK(outcome.status == 4);
  CHECK(outcome.out.find("is in format mvmheap-v3, which devtools does not read") != std::string::npos);
  CHECK(run("heapcheck validate --for memlab " + sound_profile).status == 4);
  CHECK(run("heapcheck validate --for devtools " + sound_profile).status == 0);
}

TEST_CASE("in a folder, dumps in formats that the reader does not support are skipped", "[program]") {
  const Scratch scratch;
  static_cast<void>(scratch.file("a.mvmheap", read(sound_dump)));
  static_cast<void>(scratch.file("b.heapprofile", read(sound_profile)));
  const Outcome outcome = run("heapcheck validate --for devtools " + scratch.path().string() + " 2>&1");
  CHECK(outcome.status == 0);
  CHECK(outcome.out.find("skipped 1 file that devtools does not read") != std::string::npos);
}

TEST_CASE("a JSON report names the reader that the files were checked for", "[program]") {
  const std::string command = "heapcheck validate --output json " + sound_profile;
  CHECK(run(command + " --for devtools").out.find("\"for\": \"devtools\"") != std::string::npos);
  CHECK(run(command).out.find("\"for\"") == std::string::npos);
}

TEST_CASE("a dump with a frame above the limit is undecided, exit status 5", "[program]") {
  const Outcome outcome = run("heapcheck validate --max-expanded 1000 " + sound_dump);
  CHECK(outcome.status == 5);
  CHECK(outcome.out.find("[limit.expanded-bytes]") != std::string::npos);
}

TEST_CASE("wrong usage exits 2", "[program]") {
  for (const char* arguments : {"", "validate", "validate --output xml f", "frobnicate", "explain",
                                "explain no.such", "validate --max-memory much f"}) {
    INFO(arguments);
    CHECK(run(std::string("heapcheck ") + arguments + " 2>&1").status == 2);
  }
  CHECK(run("heapcheck --help").status == 0);
  CHECK(run("heapcheck --version").out.starts_with("heapcheck "));
}

TEST_CASE("the report does not depend on the number of jobs", "[program]") {
  const Scratch scratch;
  const std::string bytes = read(sound_dump);
  std::string files;
  for (const std::size_t length : {100U, 5000U, 120000U, 250000U, 301000U}) {
    files += " " + scratch.file(std::to_string(length), bytes.substr(0, length));
  }
  for (const char* output : {"text", "json"}) {
    const std::string command = std::string("heapcheck validate --output ") + output + files + " --jobs ";
    const Outcome one = run(command + "1");
    CHECK(one.out == run(command + "2").out);
    CHECK(one.out == run(command + "8").out);
    CHECK(one.status == 1);
  }
}

TEST_CASE("JSON output is one document, whatever the input", "[program]") {
  const Scratch scratch;
  const std::string text = scratch.file("a\tb\"c", "hello\n");
  CHECK(is_json(run("heapcheck validate --output json " + sound_dump + " '" + text + "'").out));
  CHECK(is_json(run("heapcheck info --output json " + sound_dump).out));
  CHECK(is_json(run("heapcheck rules --output json").out));
}

TEST_CASE("the list of rules in the specification is identical to the output of the program", "[program]") {
  INFO("to regenerate the list, run: heapcheck rules --output md >spec/rules.md");
  const bool is_current = run("heapcheck rules --output md").out == read(root / "spec/rules.md");
  CHECK(is_current);
}

TEST_CASE("a report file is written completely or not at all", "[program]") {
  const Scratch scratch;
  const std::string report = (scratch.path() / "report.json").string();
  CHECK(run("heapcheck validate --output json --output-file " + report + " " + sound_dump).status == 0);
  CHECK(is_json(read(report)));
  CHECK(
      run("heapcheck validate --output-file " + scratch.path().string() + "/no/such " + sound_dump + " 2>&1")
          .status == 2);
  CHECK(run("heapcheck validate --output-file " + scratch.path().string() + " " + sound_dump + " 2>&1")
            .status == 2);
  CHECK(std::distance(fs::directory_iterator(scratch.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("a report file never replaces an input", "[program]") {
  const Scratch scratch;
  const std::string dump = scratch.file("a.mvmheap", read(sound_dump));
  const Outcome outcome = run("heapcheck validate --output-file " + dump + " " + dump + " 2>&1");
  CHECK(outcome.status == 2);
  CHECK(read(dump) == read(sound_dump));
}

TEST_CASE("file names cannot control the terminal", "[program]") {
  const Scratch scratch;
  const std::string path = scratch.file("a\x1b[31mb", "hello\n");
  const Outcome outcome = run("heapcheck validate '" + path + "' 2>&1");
  CHECK(outcome.out.find('\x1b') == std::string::npos);
  CHECK(run("heapcheck validate --color always " + sound_dump).out.find('\x1b') != std::string::npos);
}

TEST_CASE("file names cannot be commands of a CI system, nor options", "[program]") {
  const Scratch scratch;
  for (const std::string name : {"::error::x", "-x", "##[error]x", "\u202Ex"}) {
    fs::copy_file(sound_dump, scratch.path(name));
    for (const std::string command :
         {"validate -- ", "validate --output json -- ", "info -- ", "info --output json -- ",
          "convert --to mvmheap-v3 --in-place -- ", "recover --in-place -- "}) {
      const Outcome outcome =
          run(fmt::format("cd {}; heapcheck {} '{}'", scratch.path().string(), command, name));
      INFO(outcome.out);
      CHECK(outcome.status == 0);
      CHECK(!outcome.out.starts_with("::"));
      CHECK(!outcome.out.starts_with('-'));
      for (const std::string text : {"\n::", "\n-", "\"-", "##[", "\u202E"})
        CHECK(outcome.out.find(text) == std::string::npos);
    }
  }
}

TEST_CASE("names in a dump cannot control the terminal", "[program]") {
  const Scratch scratch;
  const std::string path = scratch.file(
      "a.json",
      "{\"traceEvents\":[{\"pid\":1,\"ts\":1,\"ph\":\"v\",\"name\":\"x\",\"id\":\"0x1\",\"args\":{\"dumps\":"
      "{\"heaps\":{\"\u009B31m\u202E\x7F##[\":{\"entries\":[{\"size\":\"q\",\"bt\":\"\"}]}}}}}]}");
  for (const std::string command : {"validate", "validate --output json", "info", "info --output json"}) {
    const std::string out = run(fmt::format("heapcheck {} {} 2>&1", command, path)).out;
    CHECK(out.find("31m") != std::string::npos);
    for (const std::string text : {"\u009B", "\u202E", "\x7F", "##["})
      CHECK(out.find(text) == std::string::npos);
  }
}

TEST_CASE("explain shows only the paragraph of the specification that states the rule", "[program]") {
  const Outcome outcome = run("heapcheck explain mvm3.toc.entry-bounds");
  CHECK(outcome.status == 0);
  CHECK(outcome.out.starts_with("mvm3.toc.entry-bounds: error\n\n"));
  CHECK(outcome.out.find("Specification: spec/mvmheap/v3.md#toc\n") != std::string::npos);
  CHECK(outcome.out.find("(`mvm3.toc.entry-bounds`)") != std::string::npos);
  CHECK(outcome.out.find("`mvm3.toc.entry-start`") == std::string::npos);
}

TEST_CASE("every rule has a paragraph in the specification that explain can show", "[program]") {
  for (const Rule* rule : all_rules()) {
    INFO(rule->id);
    const auto paragraph = cli::find_paragraph(rule->anchor, rule->id);
    REQUIRE(paragraph);
    CHECK(paragraph->find(fmt::format("`{}`", rule->id)) != std::string::npos);
    CHECK(!paragraph->starts_with('#'));  // not the whole section
  }
}

TEST_CASE("an empty path is reported as empty", "[program]") {
  CHECK(run("heapcheck validate '' 2>&1").out == "'': error: the path is empty [input.unreadable]\n");
  CHECK(run("heapcheck validate '' 2>&1").status == 4);
  CHECK(run("heapcheck info '' 2>&1").out == "heapcheck: the path of a file is empty\n");
}

TEST_CASE("the manual page lists every option of the program and no others", "[program]") {
  const std::regex option("--[a-z][a-z-]*");
  const auto options_in = [&](std::string text) {
    text = std::regex_replace(text, std::regex("\\\\-"), "-");
    const auto begin = std::sregex_iterator(text.begin(), text.end(), option);
    std::set<std::string> options;
    for (auto it = begin; it != std::sregex_iterator(); ++it) options.insert(it->str());
    return options;
  };
  std::string help = run("heapcheck --help").out;
  for (const cli::Command& command : cli::program().commands)
    help += run(fmt::format("heapcheck {} --help", command.name)).out;
  CHECK(options_in(read(root / "cli/heapcheck.1") + cli::make_manual_lists()) == options_in(help));
}

TEST_CASE("a progress bar appears on a terminal while reading goes on", "[program]") {
  const Scratch scratch;
  const std::string log = scratch.path("log");
  // Feeds the program, in at most `count` pieces, until the bar is in the log. The command itself, which is
  // also in the log, does not match the pattern.
  const auto run_on_terminal = [&](const std::string& arguments, int count) {
    const std::string feed = fmt::format(
        "(printf [; i=0; until grep -q \"[0-9] M[B] read\" {} || [ $i = {} ]; do printf \" \"; sleep 0.1; "
        "i=$((i + 1)); done) | ",
        log, count);
    fs::remove(log);
    run_shell("script -qefc '" + feed + HEAPCHECK_PROGRAM " " + arguments + "' " + log + " </dev/null");
    return read(log);
  };
  for (const std::string command : {"validate -", "info -"}) {
    INFO(command);
    CHECK(run_on_terminal(command, 600).contains(" MB read"));
    CHECK(!run_on_terminal(command + " --no-progress", 20).contains(" MB read"));
    CHECK(!run("(printf [; sleep 2; printf ' ') | heapcheck " + command + " 2>&1").out.contains(" MB read"));
  }
}

TEST_CASE("every command that reads dumps has --quiet", "[program]") {
  const Scratch scratch;
  const std::string out = (scratch.path() / "out").string();
  const auto run_quietly = [](const std::string& arguments) {
    return run("heapcheck " + arguments + " --quiet 2>&1");
  };
  for (const std::string& arguments :
       {"validate " + sound_dump, "info " + sound_dump, "recover " + sound_dump + " -o " + out,
        "convert " + sound_dump + " --to mvmheap-v3 -o " + out}) {
    INFO(arguments);
    const Outcome outcome = run_quietly(arguments);
    CHECK(outcome.status == 0);
    CHECK(outcome.out.empty());
  }
  const std::string cut = scratch.file("cut.mvmheap", read(sound_dump).substr(0, 100000));
  const Outcome damaged = run_quietly("info " + cut);
  CHECK(damaged.status == 1);
  CHECK(damaged.out.ends_with("is damaged; `heapcheck validate` shows where\n"));
}

TEST_CASE("every command that reads dumps obeys --max-memory and --max-expanded", "[program]") {
  const Scratch scratch;
  const std::string out = (scratch.path() / "out").string();
  for (const std::string& arguments :
       {"validate " + sound_dump, "info " + sound_dump, "recover " + sound_dump + " -o " + out,
        "convert " + sound_dump + " --to mvmheap-v3 -o " + out}) {
    for (const std::string limit : {" --max-memory 1000", " --max-expanded 1000"}) {
      INFO(arguments << limit);
      CHECK(run("heapcheck " + arguments + limit + " 2>&1").status == 5);
    }
  }
}
