// Tests how files are treated: the program never overwrites an input, does not leave unfinished files, and
// reports each folder that it cannot read.
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

TEST_CASE("no command writes to standard output if that is its input", "[program][files]") {
  const Scratch scratch;
  const std::string dump = scratch.file("a.mvmheap", read(sound_dump));
  const std::string link = scratch.path("hard.mvmheap");
  fs::create_hard_link(dump, link);
  for (const std::string command :
       {"validate", "info", "convert --to mvmheap-v3 -o -", "convert --to mvmheap-v3 --in-place",
        "recover --in-place", "validate --output-file /dev/stdout"}) {
    for (const std::string& input : {dump, link, std::string("/dev/fd/3")}) {
      for (const std::string redirection : {">>", "1<>"}) {
        const std::string line =
            fmt::format("heapcheck {} {} {}{} 3<{} 2>/dev/null", command, input, redirection, dump, dump);
        INFO(line);
        CHECK(run(line).status == 2);
        CHECK(read(dump) == read(sound_dump));
      }
    }
  }
  CHECK(run("heapcheck validate - <" + dump + " >>" + dump + " 2>/dev/null").status == 2);
  CHECK(read(dump) == read(sound_dump));
}

TEST_CASE("a report does not overwrite a dump that was found in a folder", "[program][files]") {
  const Scratch scratch;
  const std::string dump = scratch.file("a.mvmheap", read(sound_dump));
  const std::string folder = scratch.path().string();
  CHECK(run(fmt::format("heapcheck validate {} >>{} 2>/dev/null", folder, dump)).status == 2);
  CHECK(run(fmt::format("heapcheck validate {} --output-file {} 2>/dev/null", folder, dump)).status == 2);
  CHECK(read(dump) == read(sound_dump));
}

TEST_CASE("a baseline overwrites neither a dump nor another file of the command line", "[program][files]") {
  const Scratch scratch;
  const std::string dump = scratch.file("a.mvmheap", read(sound_dump));
  const std::string folder = scratch.path().string();
  for (const std::string& path : {dump, folder})
    CHECK(run(fmt::format("heapcheck validate {} --write-baseline {} 2>/dev/null", path, dump)).status == 2);
  CHECK(read(dump) == read(sound_dump));
  const std::string baseline = scratch.path("baseline");
  for (int i = 0; i < 2; ++i)
    CHECK(run(fmt::format("heapcheck validate --quiet {} --write-baseline {}", folder, baseline)).status ==
          0);

  const std::string list = scratch.file("list", dump + "\n");
  const std::string config = scratch.file("c.toml", "max-per-rule = 3\n");
  for (const std::string& options : {"--config " + config + " --output-file " + config,
                                     "--config " + config + " --write-baseline " + config,
                                     "--files-from " + list + " --output-file " + list,
                                     "--files-from " + list + " --write-baseline " + list,
                                     "--baseline " + baseline + " --output-file " + baseline,
                                     "--write-baseline " + baseline + " --output-file " + baseline}) {
    INFO(options);
    const Outcome outcome = run("heapcheck validate " + dump + " " + options + " 2>&1");
    CHECK(outcome.status == 2);
    CHECK(outcome.out.find("found the same file, expected two") != std::string::npos);
  }
  CHECK(read(list) == dump + "\n");
  CHECK(read(config) == "max-per-rule = 3\n");
}

TEST_CASE("the file for the report may be in the folder that is checked", "[program][files]") {
  const Scratch scratch;
  const std::string folder = scratch.path().string();
  static_cast<void>(scratch.file("a.mvmheap", read(sound_dump)));
  const std::string report = scratch.path("report.json");
  for (const std::string redirection : {">", ">>", "--output-file "}) {
    const Outcome outcome =
        run(fmt::format("heapcheck validate --output json {} {}{} 2>&1", folder, redirection, report));
    CHECK(outcome.status == 0);
    CHECK(outcome.out.empty());
    CHECK(read(report).find("a.mvmheap") != std::string::npos);
    CHECK(read(report).find("report.json") == std::string::npos);
  }
  fs::remove(folder + "/a.mvmheap");
  CHECK(run(fmt::format("heapcheck validate {} >{} 2>/dev/null", folder, report)).status == 4);
}

TEST_CASE("links to files in a folder are followed, but links to folders are not", "[program][files]") {
  const Scratch scratch;
  fs::create_directories(scratch.path("in"));
  fs::create_directories(scratch.path("out"));
  static_cast<void>(scratch.file("out/a.mvmheap", read(sound_dump)));
  fs::create_directory_symlink(scratch.path("out"), scratch.path("in/folder"));
  fs::create_symlink(scratch.path("out/a.mvmheap"), scratch.path("in/file.mvmheap"));
  const std::string out = run("heapcheck validate --output ndjson " + scratch.path("in") + " 2>&1").out;
  CHECK(out.starts_with("{\"path\":\"" + scratch.path("in/file.mvmheap") + "\","));
  CHECK(std::ranges::count(out, '\n') == 1);
}

TEST_CASE("a folder that cannot be read is reported, and the search continues", "[program][files]") {
  const Scratch scratch;
  for (const std::string name : {"a", "b", "c"}) {
    fs::create_directory(scratch.path(name));
    static_cast<void>(scratch.file(name + "/a.mvmheap", read(sound_dump)));
  }
  fs::permissions(scratch.path("b"), fs::perms::none);
  // Root can read any folder unless it gives up its capabilities.
  const std::string user = ::getuid() == 0 ? "setpriv --bounding-set=-all --inh-caps=-all " : "";
  const Outcome outcome =
      run_shell(user + HEAPCHECK_PROGRAM " validate " + scratch.path().string() + " 2>&1");
  fs::permissions(scratch.path("b"), fs::perms::owner_all);
  INFO(outcome.out);
  CHECK(outcome.status == 4);
  CHECK(outcome.out.find("/a/a.mvmheap: mvmheap-v3, valid") != std::string::npos);
  CHECK(outcome.out.find("/b: error: the folder cannot be read: Permission denied [input.unreadable]") !=
        std::string::npos);
  CHECK(outcome.out.find("/c/a.mvmheap: mvmheap-v3, valid") != std::string::npos);
}

TEST_CASE("of several files, findings decide before limits, and limits before files that cannot be read",
          "[program][files]") {
  const std::string corpus = (root / "corpus/mvmheap/v3/seed").string();
  const std::string damaged = corpus + "/cut.mvmheap ";
  const std::string valid = corpus + "/two-snapshots.mvmheap ";
  const std::string large = corpus + "/moar-2022.12-nqp.mvmheap ";
  const auto status_of = [](const std::string& files) {
    return run("heapcheck validate --max-memory 300K " + files + "2>&1").status;
  };
  CHECK(status_of(valid) == 0);
  CHECK(status_of(valid + "none ") == 4);
  CHECK(status_of("none " + large + valid) == 5);
  CHECK(status_of("none " + large + damaged + valid) == 1);
}

TEST_CASE("the program fails if its answer cannot be written", "[program][files]") {
  const Scratch scratch;
  const std::string out = scratch.path("out");
  const std::vector<std::string> commands{"--help",
                                          "--version",
                                          "validate --help",
                                          "rules",
                                          "explain mvm3.toc.entry-bounds",
                                          "info " + sound_dump,
                                          "validate " + sound_dump,
                                          "convert --to mvmheap-v3 " + sound_dump + " -o " + out,
                                          "recover " + sound_dump + " -o " + out};
  for (const std::string& command : commands) {
    for (const std::string redirection : {">/dev/full", ">&-"}) {
      INFO(command << redirection);
      CHECK(run("heapcheck " + command + " " + redirection + " 2>/dev/null").status == 2);
    }
  }
}

TEST_CASE("no file that is opened gets the number of a closed standard descriptor", "[program][files]") {
  const Scratch scratch;
  const std::string out = scratch.path("out");
  const std::string convert = "heapcheck convert --to mvmheap-v3 -o " + out + " ";
  const Outcome closed = run(convert + "- 2>&1 <&-");
  CHECK(closed.out.find("cannot be read: Bad file descriptor") != std::string::npos);
  CHECK(run(convert + sound_dump + " <&- >&- 2>&-").status == 2);
  CHECK(read(out) == read(sound_dump));
}

TEST_CASE("a replaced dump keeps its permissions and extended attributes", "[program][files]") {
  const Scratch scratch;
  const std::string dump = scratch.file("a.mvmheap", read(sound_dump));
  fs::permissions(dump, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  const bool has_attributes = ::setxattr(dump.c_str(), "user.origin", "here", 4, 0) == 0;
  if (::getuid() == 0) REQUIRE(::chown(dump.c_str(), 65534, 65534) == 0);
  struct stat before{};
  REQUIRE(::stat(dump.c_str(), &before) == 0);
  for (const std::string command : {"convert --to mvmheap-v3 --in-place", "recover --in-place"}) {
    CHECK(run(fmt::format("umask 077; heapcheck {} {}", command, dump)).status == 0);
    struct stat after{};
    REQUIRE(::stat(dump.c_str(), &after) == 0);
    CHECK(after.st_mode == before.st_mode);
    CHECK(after.st_uid == before.st_uid);
    CHECK(after.st_gid == before.st_gid);
    char value[8] = {};
    if (has_attributes) CHECK(::getxattr(dump.c_str(), "user.origin", value, sizeof value) == 4);
  }
}

TEST_CASE("the folder for temporary files is TMPDIR, and errors name it", "[program][files]") {
  const Scratch scratch;
  const std::string folder = scratch.path("no such folder");
  const std::string command = " heapcheck convert --to mvmheap-v3 - -o /dev/null 2>&1 <" + sound_dump;
  const Outcome outcome = run("export TMPDIR='" + folder + "';" + command);
  CHECK(outcome.status == 4);
  CHECK(outcome.out.find("cannot be made in the folder " + folder + ": No such file") != std::string::npos);
  CHECK(run("export TMPDIR='" + scratch.path().string() + "';" + command).status == 0);
  CHECK(fs::is_empty(scratch.path()));
}

TEST_CASE("signals that end the program are caught, and those that the parent ignores stay ignored",
          "[program][files]") {
  for (const std::string signal : {"HUP", "INT", "QUIT", "TERM"}) {
    INFO(signal);
    // Prints whether the signal is caught and how it ends the program.
    CHECK(run_while_reading("info -", "number = signal.SIG" + signal +
                                          "\n"
                                          "caught = int(fact(f'/proc/{p.pid}/status', 'SigCgt')[0], 16)\n"
                                          "p.send_signal(number)\n"
                                          "print(caught >> (number - 1) & 1, p.wait() == -number)\n") ==
          "1 True\n");
    // The program does not see the end of its input until after the signal.
    CHECK(run_while_reading("info -",
                            "p.send_signal(signal.SIG" + signal + ")\np.stdin.close()\nprint(p.wait())\n",
                            "trap '' " + signal) == "4\n");
  }
}

TEST_CASE("a signal removes an output that is not complete", "[program][files]") {
  const Scratch scratch;
  const std::string count = "print(len(os.listdir('" + scratch.path().string() + "')))\n";
  CHECK(run_while_reading("validate --output-file " + scratch.path("report") + " -",
                          count + "p.terminate()\np.wait()\n" + count) == "1\n0\n");
}
