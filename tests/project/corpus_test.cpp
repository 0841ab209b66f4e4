// Checks that the corpus and its manifest agree (corpus/README.md): every file has a line, every line names a
// file with the checksum in that line, and every dump gets the verdict in the manifest.
#include <algorithm>
#include <set>

#include "conformance/sha256.hpp"
#include "heapcheck/validate.hpp"
#include "tests/project/source_tree.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

using namespace heapcheck;
using namespace heapcheck::tests::project;

namespace {

struct Entry {
  std::string file;
  std::string origin;
  std::string sha256;
  std::string verdict;
  std::string comment;
};

std::vector<std::string> split_columns(const std::string& line) {
  std::vector<std::string> columns(1);
  for (const char c : line) {
    if (c == '\t') {
      columns.emplace_back();
    } else {
      columns.back() += c;
    }
  }
  return columns;
}

std::vector<Entry> read_manifest() {
  std::vector<Entry> entries;
  for (const std::string& line : read_lines("corpus/manifest.tsv")) {
    auto columns = split_columns(line);
    INFO(line);
    REQUIRE(columns.size() == 5);
    entries.push_back({columns[0], columns[1], columns[2], columns[3], columns[4]});
  }
  REQUIRE(entries.size() > 1);
  REQUIRE(entries.front().file == "file");
  entries.erase(entries.begin());
  return entries;
}

std::string full_path(const std::string& file) { return std::string(HEAPCHECK_SOURCE_DIR "/corpus/") + file; }

bool is_about_corpus(const std::string& path) { return std::ranges::count(path, '/') == 1; }

}  // namespace

TEST_CASE("every file of the corpus has one line in the manifest, and every line a file",
          "[project][corpus]") {
  std::multiset<std::string> listed;
  for (const Entry& entry : read_manifest()) listed.insert("corpus/" + entry.file);
  std::multiset<std::string> found;
  for (const std::string& path : find_files("corpus", "")) {
    if (!is_about_corpus(path)) found.insert(path);
  }
  CHECK(listed == found);
}

TEST_CASE("files of the corpus have the checksums that the manifest lists", "[project][corpus]") {
  for (const Entry& entry : read_manifest()) {
    INFO(entry.file);
    CHECK(conformance::make_sha256(tests::read(full_path(entry.file))) == entry.sha256);
  }
}

TEST_CASE("dumps of the corpus get the verdicts that the manifest lists", "[project][corpus]") {
  for (const Entry& entry : read_manifest()) {
    INFO(entry.file);
    if (entry.verdict == "-") {
      CHECK(entry.file.starts_with("core/"));
      continue;
    }
    const auto report = heapcheck::validate(full_path(entry.file));
    CHECK(name_of(report.verdict) == entry.verdict);
  }
}

TEST_CASE("SHA-256 computes the checksums of the standard's examples", "[project][corpus]") {
  CHECK(conformance::make_sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(conformance::make_sha256("abc") ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(conformance::make_sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}
