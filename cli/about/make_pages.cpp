// Writes what is installed with the program and made from the table of commands: a manual page for each
// command, and the scripts that complete command lines.
// usage: heapcheck_pages FOLDER, which contains the folders `man` and `completions`
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "cli/about/pages.hpp"

namespace {

bool write_page(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) std::cerr << "cannot write " << path << '\n';
  return static_cast<bool>(file);
}

bool write_pages(const std::filesystem::path& folder) {
  bool is_written = true;
  for (const heapcheck::cli::Command& command : heapcheck::cli::program().commands) {
    const std::string name = "heapcheck-" + std::string(command.name) + ".1";
    is_written = write_page(folder / "man" / name, make_manual_page(command)) && is_written;
  }
  return is_written;
}

bool write_completions(const std::filesystem::path& folder) {
  return write_page(folder / "heapcheck", heapcheck::cli::make_bash_completion()) &&
         write_page(folder / "_heapcheck", heapcheck::cli::make_zsh_completion()) &&
         write_page(folder / "heapcheck.fish", heapcheck::cli::make_fish_completion());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path folder = argv[1];
  return write_pages(folder) && write_completions(folder / "completions") ? 0 : 1;
}
