#include "cli/system/read_file.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace heapcheck::cli {
namespace {

std::unexpected<Error> fail(const char* verb) {
  return std::unexpected(
      Error{ErrorKind::unreadable, std::string(verb) + ": " + std::generic_category().message(errno)});
}

Result<std::string> read_to_end(std::FILE* file) {
  std::string text;
  std::array<char, 1 << 16> piece{};
  while (std::feof(file) == 0) {
    text.append(piece.data(), std::fread(piece.data(), 1, piece.size(), file));
    if (std::ferror(file) != 0) return fail("cannot be read");
  }
  return text;
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
  return file ? read_to_end(file.get()) : fail("cannot be opened");
}

Result<std::string> read_standard_input() { return read_to_end(stdin); }

}  // namespace heapcheck::cli
