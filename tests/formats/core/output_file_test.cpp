#include "formats/core/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/catch.hpp"

using namespace heapcheck;
using namespace heapcheck::core;
namespace fs = std::filesystem;

namespace {

/// A folder that is gone at the end of a test.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "heapcheck.XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }

  [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] std::ptrdiff_t file_count() const {
    return std::distance(fs::directory_iterator(path_), fs::directory_iterator());
  }

 private:
  fs::path path_;
};

std::string read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_file(const std::string& path, std::string_view text) { std::ofstream(path) << text; }

void replace(const std::string& path, std::string_view text) {
  auto file = OutputFile::create(path);
  REQUIRE(file);
  REQUIRE(file->write(as_bytes(text)));
  REQUIRE(file->commit());
}

}  // namespace

TEST_CASE("a file has its name only when it is complete", "[output]") {
  const Folder folder;
  const std::string path = folder / "out.json";
  {
    auto file = OutputFile::create(path);
    REQUIRE(file);
    CHECK(file->write(as_bytes("content")));
    CHECK(!fs::exists(path));
    CHECK(folder.file_count() == 1);
    CHECK(file->commit());
    CHECK(!file->commit());
  }
  CHECK(read_file(path) == "content");
  CHECK(folder.file_count() == 1);
}

TEST_CASE("without commit nothing is left and the old file stays", "[output]") {
  const Folder folder;
  write_file(folder / "old", "old");
  {
    auto file = OutputFile::create(folder / "old");
    REQUIRE(file);
    CHECK(file->write(as_bytes("new")));
    const OutputFile moved = std::move(*file);
  }
  CHECK(read_file(folder / "old") == "old");
  CHECK(folder.file_count() == 1);
}

TEST_CASE("a replaced file keeps its permissions, a new one follows the umask", "[output]") {
  const Folder folder;
  write_file(folder / "old", "old");
  fs::permissions(folder / "old", fs::perms::owner_read | fs::perms::owner_write);
  replace(folder / "old", "new");
  CHECK(fs::status(folder / "old").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  const mode_t before = ::umask(027);
  replace(folder / "fresh", "new");
  ::umask(before);
  CHECK(static_cast<unsigned>(fs::status(folder / "fresh").permissions()) == 0640);
}

TEST_CASE("a symbolic link stays and what it points to is replaced", "[output]") {
  const Folder folder;
  fs::create_directory(folder / "below");
  write_file(folder / "below/target", "old");
  fs::create_symlink("below/target", folder / "link");
  fs::create_symlink("below/missing", folder / "dangling");
  replace(folder / "link", "new");
  replace(folder / "dangling", "made");
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(read_file(folder / "below/target") == "new");
  CHECK(read_file(folder / "below/missing") == "made");
}

TEST_CASE("what is no regular file is written directly", "[output]") {
  const Folder folder;
  replace("/dev/null", "lost");
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  const int reading = ::open((folder / "pipe").c_str(), O_RDONLY | O_NONBLOCK);
  replace(folder / "pipe", "through");
  char text[16] = {};
  CHECK(::read(reading, text, sizeof text) == 7);
  CHECK(std::string_view(text) == "through");
  ::close(reading);
  CHECK(fs::is_fifo(folder / "pipe"));
}

TEST_CASE("a path that names a descriptor goes on where the descriptor is", "[output]") {
  const Folder folder;
  const int descriptor = ::open((folder / "log").c_str(), O_WRONLY | O_CREAT, 0600);
  REQUIRE(::write(descriptor, "first ", 6) == 6);
  replace("/dev/fd/" + std::to_string(descriptor), "second");
  ::close(descriptor);
  CHECK(read_file(folder / "log") == "first second");
}

TEST_CASE("what cannot be written is said and leaves nothing", "[output]") {
  const Folder folder;
  const auto as_folder = OutputFile::create(folder / "");
  REQUIRE(!as_folder);
  CHECK(as_folder.error().kind == ErrorKind::unwritable);
  CHECK(as_folder.error().message == "is a folder, not a file");
  const auto missing = OutputFile::create(folder / "no/such/file");
  REQUIRE(!missing);
  CHECK(missing.error().message.starts_with("cannot be created: "));
  fs::create_symlink("loop", folder / "loop");
  CHECK(!OutputFile::create(folder / "loop"));
  auto full = OutputFile::create("/dev/full");
  REQUIRE(full);
  CHECK(full->write(as_bytes("x")).error().message.starts_with("cannot be written: "));
}

TEST_CASE("names as long as a folder allows can be written", "[output]") {
  const Folder folder;
  const std::string name(255, 'n');
  replace(folder / name, "x");
  CHECK(read_file(folder / name) == "x");
}

TEST_CASE("a signal handler can remove what is pending", "[output]") {
  const Folder folder;
  std::vector<OutputFile> files;
  for (int i = 0; i < 3; ++i) {
    auto file = OutputFile::create(folder / std::to_string(i));
    REQUIRE(file);
    files.push_back(std::move(*file));
  }
  CHECK(folder.file_count() == 3);
  REQUIRE(files[0].commit());
  remove_pending_outputs();
  CHECK(folder.file_count() == 1);
  CHECK(fs::exists(folder / "0"));
}
