// Writes the files that are generated from the command table and installed with the program: a manual
// page for each command and the scripts that complete command lines. Also writes the table itself as JSON,
// for the command line of the package for npm. Usage: heapcheck_pages FOLDER PAGE, where FOLDER contains the
// folders `man` and `completions`, and PAGE is the program's manual page without its synopsis and its lists
// of commands and options.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <utility>

#include "cli/about/pages.hpp"

namespace {

bool write_page(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) std::cerr << "cannot write " << path << '\n';
  return static_cast<bool>(file);
}

std::string read_page(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Inserts the sections generated from the table into the program's manual page, each in front of the section
/// that should follow it.
bool write_program_page(const std::filesystem::path& folder, const std::filesystem::path& page) {
  std::string text = read_page(page);
  for (const auto& [section, made] : {std::pair(".SH DESCRIPTION\n", heapcheck::cli::make_manual_synopsis()),
                                      std::pair(".SH FINDINGS\n", heapcheck::cli::make_manual_lists())}) {
    const std::size_t place = text.find(section);
    if (place == std::string::npos) return false;
    text.insert(place, made);
  }
  return write_page(folder / "man/heapcheck.1", text);
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
  if (argc != 3) return 2;
  const std::filesystem::path folder = argv[1];
  const bool is_written = write_program_page(folder, argv[2]) && write_pages(folder) &&
                          write_completions(folder / "completions") &&
                          write_page(folder / "commands.json", heapcheck::cli::make_table_json());
  return is_written ? 0 : 1;
}
