#include "cli/system/read_file.hpp"

#include <array>
#include <fstream>
#include <iostream>

namespace heapcheck::cli {

Result<std::string> read_file(const std::string& path) {
  std::ifstream file;
  if (path != "-") file.open(path, std::ios::binary);
  std::istream& input = path == "-" ? std::cin : file;
  if (!input) return std::unexpected(Error{ErrorKind::unreadable, "cannot be opened"});
  std::string text;
  std::array<char, 1 << 16> piece{};
  while (input) {
    input.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<std::size_t>(input.gcount()));
  }
  if (input.bad()) return std::unexpected(Error{ErrorKind::unreadable, "cannot be read"});
  return text;
}

}  // namespace heapcheck::cli
