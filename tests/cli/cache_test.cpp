// Tests of `heapcheck validate --cache`, with the program itself.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

/// A folder with the cache and one damaged dump that was last changed long ago.
struct CacheTrial {
  Scratch scratch;
  std::string dump = scratch.file("cut.mvmheap", read(cut_dump));
  fs::path cache = scratch.path() / "cache";

  CacheTrial() { make_old(); }
  void make_old() const { (void)run_shell("touch -d 2020-01-01 " + dump); }
  [[nodiscard]] Outcome check(const std::string& options = "") const {
    return run("heapcheck validate " + options + " --cache " + cache.string() + " " + dump + " 2>&1");
  }
  [[nodiscard]] std::ptrdiff_t count_kept() const {
    return std::distance(fs::directory_iterator(cache), fs::directory_iterator());
  }
  /// Changes the text of the cached reports, so that a report shows whether it comes from the cache.
  void mark() const {
    (void)run_shell("sed -i 's/frame/MARKED/; s/expected/MARKED/' " + cache.string() + "/*");
  }
};

/// The time at which a file's status last changed, as written in keys.
std::string find_change_time(const std::string& path) {
  struct stat status{};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return fmt::format("{}.{:09}", status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
}

bool is_kept(const Outcome& outcome) { return outcome.out.find("MARKED") != std::string::npos; }

}  // namespace

TEST_CASE("a file that has not changed is not read again", "[program][cache]") {
  const CacheTrial trial;
  const Outcome without = run("heapcheck validate " + trial.dump + " 2>&1");
  const Outcome first = trial.check();
  CHECK(first.out == without.out);
  CHECK(first.status == 1);
  CHECK(trial.count_kept() == 1);
  CHECK(trial.check().out == without.out);
  trial.mark();
  const Outcome kept = trial.check();
  CHECK(is_kept(kept));
  CHECK(kept.status == 1);
}

TEST_CASE("kept reports, which quote dumps, are only for their owner", "[program][cache]") {
  const CacheTrial trial;
  (void)trial.check();
  REQUIRE(trial.count_kept() == 1);
  CHECK(fs::status(fs::directory_iterator(trial.cache)->path()).permissions() ==
        (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("a file is read again if it, the options or the program may have changed", "[program][cache]") {
  const CacheTrial trial;
  (void)trial.check();
  trial.mark();
  CHECK(!is_kept(trial.check("--max-per-rule 3")));
  CHECK(!is_kept(trial.check("--severity mvm3=warning")));
  CHECK(!is_kept(trial.check("--for comma")));
  CHECK(!is_kept(trial.check("--output sarif")));
  CHECK(trial.count_kept() == 5);
  CHECK(is_kept(trial.check("--jobs 2 --fail-level note")));
  trial.make_old();  // also changes the time of its last status change
  CHECK(!is_kept(trial.check()));
  (void)run_shell("printf x >>" + trial.dump);
  trial.make_old();
  CHECK(trial.check().out == run("heapcheck validate " + trial.dump + " 2>&1").out);
}

TEST_CASE("a file whose times do not show that it changed is read again", "[program][cache]") {
  const CacheTrial trial;
  (void)trial.check();
  trial.mark();
  REQUIRE(is_kept(trial.check()));
  // Writes the new change time into the kept report. This imitates a system that did not update the time, as
  // can happen if a file is changed through a memory mapping.
  const std::string before = find_change_time(trial.dump);
  (void)run_shell("printf X | dd of=" + trial.dump + " conv=notrunc 2>/dev/null");
  trial.make_old();
  (void)run_shell("sed -i 's/" + before + "/" + find_change_time(trial.dump) + "/' " + trial.cache.string() +
                  "/*");
  CHECK_FALSE(is_kept(trial.check()));
}

TEST_CASE("severities and readers are kept with a report", "[program][cache]") {
  const CacheTrial trial;
  for (const std::string options : {"--severity mvm3=note --fail-level error", "--for moarperf --output json",
                                    "--output github", "--output json --statistics --max-per-rule 0"}) {
    INFO(options);
    const Outcome without = run("heapcheck validate " + options + " " + trial.dump + " 2>&1");
    CHECK(trial.check(options).out == without.out);
    CHECK(trial.check(options).out == without.out);
    CHECK(trial.check(options).status == without.status);
  }
}

TEST_CASE("a file that was changed just now, or reaches a limit, is not kept", "[program][cache]") {
  const CacheTrial trial;
  CHECK(trial.check("--max-memory 1").status == 5);
  (void)run_shell("touch " + trial.dump);
  CHECK(trial.check().status == 1);
  CHECK(trial.count_kept() == 0);
}

TEST_CASE("the report on a file that changes while it is read is not kept", "[program][cache]") {
  const CacheTrial trial;
  // A lease stops the program when it opens the dump, after it has looked for a kept report. The script then
  // changes the dump.
  const std::string script =
      "import fcntl, os, signal, subprocess, sys\n"
      "dump, cache, changes = sys.argv[1:]\n"
      "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGIO})\n"
      "file = os.open(dump, os.O_RDWR)\n"
      "try: fcntl.fcntl(file, 1024, fcntl.F_WRLCK)\n"
      "except OSError: sys.exit(77)\n"
      "p = subprocess.Popen(['" HEAPCHECK_PROGRAM
      "', 'validate', '--quiet', '--cache', cache, dump], stdout=subprocess.DEVNULL)\n"
      "signal.sigtimedwait({signal.SIGIO}, 60)\n"
      "if changes == 'changes': os.utime(dump, (10**9, 10**9))\n"
      "fcntl.fcntl(file, 1024, fcntl.F_UNLCK)\n"
      "sys.exit(p.wait())\n";
  const std::string command = "python3 " + trial.scratch.file("lease.py", script) + " " + trial.dump + " " +
                              trial.cache.string() + " ";
  const int status = run_shell(command + "changes").status;
  if (status == 77) SKIP("the file system has no leases");
  CHECK(status == 1);
  CHECK(trial.count_kept() == 0);
  CHECK(run_shell(command + "stays").status == 1);
  CHECK(trial.count_kept() == 1);
}

TEST_CASE("a kept report that is damaged is made again", "[program][cache]") {
  const CacheTrial trial;
  const std::string sound = trial.check().out;
  const auto kept = fs::directory_iterator(trial.cache)->path();
  const std::string text = read(kept);
  for (std::size_t length = 0; length < text.size(); length += 7) {
    (void)run_shell("truncate -s " + std::to_string(length) + " " + kept.string());
    REQUIRE(trial.check().out == sound);
    REQUIRE(read(kept) == text);
  }
}

TEST_CASE("the cache is a folder, and its files are not checked", "[program][cache]") {
  const CacheTrial trial;
  const std::string folder = trial.scratch.path().string();
  const Outcome file = run("heapcheck validate --cache " + trial.dump + " " + folder + " 2>&1");
  CHECK(file.status == 2);
  CHECK(file.out.starts_with("heapcheck: --cache: " + trial.dump + ": "));
  (void)trial.check();
  const std::string all = "heapcheck validate --cache " + trial.cache.string() + " " + folder + " 2>&1";
  CHECK(run(all).out == trial.check().out);
  const Outcome only = run("heapcheck validate --cache " + trial.cache.string() + " " + trial.cache.string());
  CHECK(only.status == 4);
}
