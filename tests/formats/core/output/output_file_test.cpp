#include "formats/core/output/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "tests/support/files.hpp"

using namespace heapcheck;
using namespace heapcheck::core;
using namespace heapcheck::tests;

namespace {

void replace(const std::string& path, std::string_view text) {
  auto file = OutputFile::create(path);
  REQUIRE(file);
  REQUIRE(file->write(as_bytes(text)));
  REQUIRE(file->commit());
}

}  // namespace

TEST_CASE("a file gets its name only when it is complete", "[output]") {
  const Scratch folder;
  const std::string path = folder.path("out.json");
  {
    auto file = OutputFile::create(path);
    REQUIRE(file);
    CHECK(file->write(as_bytes("content")));
    CHECK(!fs::exists(path));
    CHECK(folder.file_count() == 1);
    CHECK(file->commit());
    CHECK(!file->commit());
  }
  CHECK(tests::read(path) == "content");
  CHECK(folder.file_count() == 1);
}

TEST_CASE("without commit(), nothing is left and the old file stays", "[output]") {
  const Scratch folder;
  static_cast<void>(folder.file("old", "old"));
  {
    auto file = OutputFile::create(folder.path("old"));
    REQUIRE(file);
    CHECK(file->write(as_bytes("new")));
    const OutputFile moved = std::move(*file);
  }
  CHECK(tests::read(folder.path("old")) == "old");
  CHECK(folder.file_count() == 1);
}

TEST_CASE("a replaced file keeps its permissions, and a new one follows the umask", "[output]") {
  const Scratch folder;
  static_cast<void>(folder.file("old", "old"));
  fs::permissions(folder.path("old"), fs::perms::owner_read | fs::perms::owner_write);
  replace(folder.path("old"), "new");
  CHECK(fs::status(folder.path("old")).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  const mode_t before = ::umask(027);
  replace(folder.path("fresh"), "new");
  ::umask(before);
  CHECK(static_cast<unsigned>(fs::status(folder.path("fresh")).permissions()) == 0640);
}

TEST_CASE("until it is complete, only the owner can read a file", "[output]") {
  const Scratch folder;
  auto file = OutputFile::create(folder.path("out"));
  REQUIRE(file);
  const fs::path temporary = fs::directory_iterator(folder.path())->path();
  CHECK(fs::status(temporary).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("a file is not replaced if it is not the one that was read", "[output]") {
  const Scratch folder;
  const std::string path = folder.file("dump", "old");
  const auto read_file = identify_file(path);
  REQUIRE(read_file);
  auto unchanged = OutputFile::create(path, {.replaced = read_file});
  CHECK(unchanged->commit());
  for (const std::string_view text : {"longer", "new"}) {
    auto file = OutputFile::create(path, {.replaced = identify_file(path)});
    fs::rename(folder.file("other", text), path);
    CHECK(file->commit().error().message.starts_with("was changed after it was read"));
    CHECK(tests::read(path) == text);
  }
  auto file = OutputFile::create(path, {.replaced = identify_file(path)});
  fs::remove(path);
  CHECK(!file->commit());
}

TEST_CASE("a symbolic link stays, and its target is replaced", "[output]") {
  const Scratch folder;
  fs::create_directory(folder.path("below"));
  static_cast<void>(folder.file("below/target", "old"));
  fs::create_symlink("below/target", folder.path("link"));
  fs::create_symlink("below/missing", folder.path("dangling"));
  replace(folder.path("link"), "new");
  replace(folder.path("dangling"), "made");
  CHECK(fs::is_symlink(folder.path("link")));
  CHECK(tests::read(folder.path("below/target")) == "new");
  CHECK(tests::read(folder.path("below/missing")) == "made");
}

TEST_CASE("anything but a regular file is written directly", "[output]") {
  const Scratch folder;
  replace("/dev/null", "lost");
  REQUIRE(::mkfifo((folder.path("pipe")).c_str(), 0600) == 0);
  const int reading = ::open((folder.path("pipe")).c_str(), O_RDONLY | O_NONBLOCK);
  replace(folder.path("pipe"), "through");
  char text[16] = {};
  CHECK(::read(reading, text, sizeof text) == 7);
  CHECK(std::string_view(text) == "through");
  ::close(reading);
  CHECK(fs::is_fifo(folder.path("pipe")));
}

TEST_CASE("writing to the path of a descriptor continues at its position", "[output]") {
  const Scratch folder;
  const int descriptor = ::open((folder.path("log")).c_str(), O_WRONLY | O_CREAT, 0600);
  REQUIRE(::write(descriptor, "first ", 6) == 6);
  replace("/dev/fd/" + std::to_string(descriptor), "second");
  ::close(descriptor);
  CHECK(tests::read(folder.path("log")) == "first second");
}

TEST_CASE("output can be added to the end of a file", "[output]") {
  const Scratch folder;
  for (const std::string_view text : {"first ", "second"}) {
    auto file = OutputFile::append(folder.path("log"));
    REQUIRE(file);
    CHECK(file->write(as_bytes(text)));
    CHECK(file->commit());
  }
  CHECK(tests::read(folder.path("log")) == "first second");
  CHECK(folder.file_count() == 1);
  CHECK(OutputFile::append("/dev/null").has_value());
  CHECK(OutputFile::append(folder.path("no/such/file")).error().message.starts_with("cannot be opened: "));
}

TEST_CASE("a failure to write is reported and leaves no file", "[output]") {
  const Scratch folder;
  const auto as_folder = OutputFile::create(folder.path(""));
  REQUIRE(!as_folder);
  CHECK(as_folder.error().kind == ErrorKind::unwritable);
  CHECK(as_folder.error().message == "is a folder, not a file");
  const auto missing = OutputFile::create(folder.path("no/such/file"));
  REQUIRE(!missing);
  CHECK(missing.error().message.starts_with("cannot be created: "));
  fs::create_symlink("loop", folder.path("loop"));
  CHECK(!OutputFile::create(folder.path("loop")));
  auto full = OutputFile::create("/dev/full");
  REQUIRE(full);
  CHECK(full->write(as_bytes("x")).error().message.starts_with("cannot be written: "));
}

TEST_CASE("a file can have a name as long as a folder allows", "[output]") {
  const Scratch folder;
  const std::string name(255, 'n');
  replace(folder.path(name), "x");
  CHECK(tests::read(folder.path(name)) == "x");
}

TEST_CASE("a signal handler can remove pending files", "[output]") {
  const Scratch folder;
  std::vector<OutputFile> files;
  for (int i = 0; i < 3; ++i) {
    auto file = OutputFile::create(folder.path(std::to_string(i)));
    REQUIRE(file);
    files.push_back(std::move(*file));
  }
  CHECK(folder.file_count() == 3);
  REQUIRE(files[0].commit());
  remove_pending_outputs();
  CHECK(folder.file_count() == 1);
  CHECK(fs::exists(folder.path("0")));
}
