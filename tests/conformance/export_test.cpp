// Tests that exports of cases are complete, reproducible and independent of any compressor, and replace only
// files from an earlier export.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "conformance/sha256.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program.hpp"

using namespace heapcheck;
using tests::read;
using tests::run_shell;
using tests::Scratch;
namespace fs = std::filesystem;

namespace {

const fs::path cases = HEAPCHECK_SOURCE_DIR "/conformance";
const std::string program = HEAPCHECK_CONFORMANCE_PROGRAM;

/// Exports all cases on the first call, and returns the folder.
const fs::path& exported() {
  static const Scratch scratch;
  static const fs::path folder = [] {
    const fs::path target = scratch.path() / "all";
    REQUIRE(run_shell(program + " export " + target.string()).status == 0);
    return target;
  }();
  return folder;
}

/// The entries of the manifest as JSON, by the name of the case.
using Entries = std::map<std::string, std::string>;

Entries read_entries(const fs::path& folder) {
  const std::string manifest = read(folder / "manifest.json");
  const std::string start = "\n      \"case\": \"";
  Entries entries;
  for (std::size_t at = manifest.find(start); at != std::string::npos;) {
    const std::size_t name = at + start.size();
    const std::size_t next = manifest.find(start, name);
    entries[manifest.substr(name, manifest.find('"', name) - name)] = manifest.substr(at, next - at);
    at = next;
  }
  return entries;
}

/// Returns the first value of `key`, without quotes.
std::string value_of(const std::string& entry, const std::string& key) {
  std::smatch match;
  const bool found = std::regex_search(entry, match, std::regex("\"" + key + "\": \"?([^\",\n]*)"));
  return found ? match[1].str() : "";
}

std::vector<std::string> all_matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), regex); it != std::sregex_iterator(); ++it) {
    found.push_back((*it)[1]);
  }
  return found;
}

std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(folder).generic_string());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

TEST_CASE("an export contains the file of each case in its manifest", "[export]") {
  const auto entries = read_entries(exported());
  REQUIRE(entries.size() >= 300);
  std::vector<std::string> listed{"manifest.json"};
  for (const auto& [name, entry] : entries) {
    INFO(name);
    const std::string file = value_of(entry, "file");
    const std::string bytes = read(exported() / file);
    CHECK(value_of(entry, "sha256") == conformance::make_sha256(bytes));
    CHECK(value_of(entry, "byte_count") == std::to_string(bytes.size()));
    listed.push_back(file);
  }
  std::ranges::sort(listed);
  CHECK(listed == files_below(exported()));
}

TEST_CASE("the manifest agrees with the cases", "[export]") {
  std::size_t case_count = 0;
  const auto entries = read_entries(exported());
  for (const auto& file : files_below(cases)) {
    if (!file.ends_with(".case")) continue;
    ++case_count;
    const std::string name = file.substr(0, file.size() - std::string(".case").size());
    INFO(name);
    REQUIRE(entries.contains(name));
    const std::string& entry = entries.at(name);
    const std::string text = "\n" + read(cases / file);
    CHECK(name.starts_with(value_of(entry, "format") + "/"));
    CHECK(all_matches(text, "\nexpect ([^\n]+)").at(0) == value_of(entry, "verdict"));
    CHECK(all_matches(text, "\nspec: ([^\n]+)").at(0) == value_of(entry, "spec"));
    CHECK(all_matches(text, "\nfinding ([^ \n]+)") == all_matches(entry, "\"id\": \"([^\"]+)\""));
  }
  CHECK(case_count == entries.size());
  CHECK(value_of(read(exported() / "manifest.json"), "case_count") == std::to_string(case_count));
}

TEST_CASE("a manifest contains places, paths and severities", "[export]") {
  const std::string entry = read_entries(exported()).at("mvmheap/v3/toc/entry-bounds");
  CHECK(value_of(entry, "severity") == "error");
  CHECK(!value_of(entry, "offset").empty());
  const std::string in_column = read_entries(exported()).at("mvmheap/v3/references/target-range");
  CHECK(!value_of(in_column, "content_offset").empty());
  CHECK(value_of(in_column, "path").starts_with("/snapshots/"));
}

TEST_CASE("a manifest lists the options of a case", "[export]") {
  const auto entries = read_entries(exported());
  const std::string& limited = entries.at("mvmheap/v3/limits/input-bytes");
  CHECK(limited.find("\"options\"") != std::string::npos);
  CHECK(value_of(limited, "max_input") == "450");
  CHECK(value_of(limited, "compression") == "gzip");
  CHECK(value_of(limited, "file") == "mvmheap/v3/limits/input-bytes.mvmheap.gz");
  CHECK(value_of(entries.at("v8/heapsnapshot/devtools/column"), "for") == "devtools");
  CHECK(entries.at("mvmheap/v3/file/minimal").find("\"options\"") == std::string::npos);
}

TEST_CASE("exports do not depend on the current folder", "[export]") {
  const Scratch scratch;
  const fs::path again = scratch.path() / "again";
  const std::string from_elsewhere =
      "cd " + cases.string() + "/.. && " + program + " --cases ./conformance/ export ";
  REQUIRE(run_shell(from_elsewhere + again.string()).status == 0);
  REQUIRE(run_shell(from_elsewhere + again.string() + "/").status == 0);
  CHECK(run_shell("diff -r " + exported().string() + " " + again.string() + " 2>&1").out.empty());
}

TEST_CASE("an export with a filter replaces an earlier one as a whole", "[export]") {
  const Scratch scratch;
  const std::string target = (scratch.path() / "cases").string();
  REQUIRE(run_shell(program + " export " + target + " v8/heapprofile/json").status == 0);
  REQUIRE(run_shell(program + " export " + target + " mvmheap/v1/file").status == 0);
  const auto entries = read_entries(target);
  CHECK(files_below(target).size() == entries.size() + 1);
  CHECK(entries.begin()->first.starts_with("mvmheap/v1/file/"));
  CHECK(std::distance(fs::directory_iterator(scratch.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("an export does not touch files that no export wrote", "[export]") {
  const Scratch scratch;
  const std::string note = scratch.file("note.txt", "mine");
  const std::string folder = scratch.path().string();
  CHECK(run_shell(program + " export " + folder + " v1/file 2>&1").status == 2);
  CHECK(run_shell(program + " export " + note + " v1/file 2>&1").status == 2);
  CHECK(run_shell(program + " export " + folder + "/no/such v1/file 2>&1").status == 2);
  const std::string target = folder + "/cases";
  REQUIRE(run_shell(program + " export " + target + " v1/file").status == 0);
  fs::rename(note, target + "/note.txt");
  const auto before = files_below(target);
  CHECK(run_shell(program + " export " + target + " v8/heapprofile 2>&1").status == 2);
  CHECK(files_below(target) == before);
}
